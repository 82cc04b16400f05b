"""From the text of a solution to the stated answer."""
