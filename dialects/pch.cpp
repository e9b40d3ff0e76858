// Gives the precompiled header a translation unit to belong to.
