// Folders that a task has filled, and their removal.
//
// A task can nest folders as deep as its disk allows. The removal needs the same few descriptors
// and the same little stack for every depth: what lies too deep is moved up first.
#pragma once

namespace yard::shim {

// Removes a folder and all below, or only all below, staying on this side of links.
void RemoveTree(int folder, const char* name);
void EmptyFolder(int folder, const char* name);

}  // namespace yard::shim
