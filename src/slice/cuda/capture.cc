#include "slice/cuda/capture.h"

#include "slice/cuda/wrappers.h"

namespace yard::slice::cuda {
namespace {

constexpr Entry AskFor(Entry entry) {
  switch (entry) {
    case k_cuStreamBeginCapture_ptsz:
    case k_cuStreamBeginCapture_v2_ptsz:
    case k_cuStreamBeginCaptureToGraph_ptsz:
    case k_cuStreamBeginCaptureToCig_ptsz:
    case k_cuStreamEndCapture_ptsz:
    case k_cuStreamEndCaptureToCig_ptsz:
      return k_cuStreamIsCapturing_ptsz;
    default:
      return k_cuStreamIsCapturing;
  }
}

// Counted before it begins, so that no allocation of it is missed.
template <class Begin>
Result Counted(Begin begin) {
  Process& process = Self();
  process.captures.fetch_add(1);
  const Result result = begin();
  if (result != kOk) process.captures.fetch_sub(1);
  return result;
}

// It has ended when the stream no longer captures, whatever the driver answers.
template <class End>
Result Uncounted(Entry ask, Handle stream, End end) {
  Process& process = Self();
  const bool before = IsCapturing(ask, stream);
  const Result result = end();
  if (before && !IsCapturing(ask, stream)) process.captures.fetch_sub(1);
  return result;
}

}  // namespace

template <Entry kReal>
Result BeginCapture(Handle stream, int mode) {
  return Counted([&] { return Call(kReal, stream, mode); });
}

template <Entry kReal>
Result BeginCaptureToGraph(Handle stream, Handle graph, const Handle* after, const void* edges,
                           std::size_t count, int mode) {
  return Counted([&] { return Call(kReal, stream, graph, after, edges, count, mode); });
}

template <Entry kReal>
Result BeginCaptureToCig(Handle stream, void* params) {
  return Counted([&] { return Call(kReal, stream, params); });
}

template <Entry kReal>
Result EndCapture(Handle stream, Handle* graph) {
  return Uncounted(AskFor(kReal), stream, [&] { return Call(kReal, stream, graph); });
}

template <Entry kReal>
Result EndCaptureToCig(Handle stream) {
  return Uncounted(AskFor(kReal), stream, [&] { return Call(kReal, stream); });
}

template Result BeginCapture<k_cuStreamBeginCapture>(Handle, int);
template Result BeginCapture<k_cuStreamBeginCapture_ptsz>(Handle, int);
template Result BeginCapture<k_cuStreamBeginCapture_v2>(Handle, int);
template Result BeginCapture<k_cuStreamBeginCapture_v2_ptsz>(Handle, int);
template Result BeginCaptureToGraph<k_cuStreamBeginCaptureToGraph>(Handle, Handle, const Handle*,
                                                                   const void*, std::size_t, int);
template Result BeginCaptureToGraph<k_cuStreamBeginCaptureToGraph_ptsz>(Handle, Handle,
                                                                        const Handle*, const void*,
                                                                        std::size_t, int);
template Result BeginCaptureToCig<k_cuStreamBeginCaptureToCig>(Handle, void*);
template Result BeginCaptureToCig<k_cuStreamBeginCaptureToCig_ptsz>(Handle, void*);
template Result EndCapture<k_cuStreamEndCapture>(Handle, Handle*);
template Result EndCapture<k_cuStreamEndCapture_ptsz>(Handle, Handle*);
template Result EndCaptureToCig<k_cuStreamEndCaptureToCig>(Handle);
template Result EndCaptureToCig<k_cuStreamEndCaptureToCig_ptsz>(Handle);

}  // namespace yard::slice::cuda
