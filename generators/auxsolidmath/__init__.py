"""AuxSolidMath: solid-geometry problems with exact answers, diagrams and auxiliary constructions."""
