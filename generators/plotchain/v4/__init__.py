"""Edition v4: the published release, frozen; its items equal the published ones byte for byte."""
