"""What the router and the calibration of the embedded model are learned from, and how."""
