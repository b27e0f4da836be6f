"""What the pages share. Pages and this room are the only ones that import streamlit."""
