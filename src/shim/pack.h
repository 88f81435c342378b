// Files as a tar stream, for a program that runs beside the task, also inside its container. The
// task's own programs and libraries take no part: they may be anything. One thread.
#pragma once

namespace yard::shim {

struct PackStreams {
  int bytes;  // the archive
  int words;  // complaints, a line each
};

// Writes the file or folder at `path` to streams.bytes, under the last part of its path. Links are
// packed as links; sockets and devices are left out. The owner may go on working: a file that is
// gone by its turn is left out, one that grew is cut, one that shrank is filled up with zeros. 1:
// something could not be read.
enum class PackWhat { kAll, kHeaders };  // kHeaders: what there is, with sizes and no content
int Pack(const char* path, const PackStreams& streams, PackWhat what = PackWhat::kAll);

// The same for a folder that was empty and has been removed.
int PackEmpty(const PackStreams& streams);

// Reads streams.bytes into `folder`, which is there. What was packed belongs to this process's user
// and has its mode and time. 1: something could not be written, or the archive is damaged.
int Unpack(const char* folder, const PackStreams& streams);

}  // namespace yard::shim
