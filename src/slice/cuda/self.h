// Where this copy of the library lies, which slice that makes it part of, and the real library it
// stands in for. The place decides, never the environment.
//
// Threads: any. Costs a few system calls; callers keep the result.
#pragma once

namespace yard::slice {

inline constexpr int kPathBytes = 512;

struct Path {
  char text[kPathBytes];
};

// The slice folder: the parent of the folder this library was loaded from if a keeper's socket or
// a `real` folder lies there, else kContainerDir. False if neither exists.
bool FindSliceFolder(Path* out);

// Opens <slice folder>/real/<file>, or the file in the usual driver folders when the slice folder
// has none, never this library itself. Null if there is none.
void* OpenReal(const char* file);

// The path of that file in the folder this library was loaded from; false if it does not fit.
bool Beside(const char* file, Path* out);

// folder + "/" + name; false if it does not fit.
bool Join(const char* folder, const char* name, Path* out);

}  // namespace yard::slice
