"""The Compare page: the same messages through any set of deciders."""
