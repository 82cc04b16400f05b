"""AuxSolidMath: solid-geometry problems with exact answers, diagrams and auxiliary constructions.

Importing and listing load next to nothing, making problems the standard library only; drawing loads Pillow.
"""
