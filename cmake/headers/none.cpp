// What a precompiled header (WarpglassPrecompiled.cmake) is made with; it needs some source.
