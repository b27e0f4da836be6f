"""A turn as several pages draw it: what was said, the lanes with their evidence, calls, marks on the words."""
