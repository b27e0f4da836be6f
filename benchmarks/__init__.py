"""Measurements. They print figures and never pass or fail; nothing here runs in the tests."""
