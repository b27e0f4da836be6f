"""The composer: completes a tool call that arrived incomplete, asks where there are several ways, or refuses."""
