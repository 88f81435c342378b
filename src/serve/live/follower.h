// A log as a stream: what is there, then what is written, until the task has ended.
//
// The log is read as fast as the reader takes it and never faster. Between pieces the follower
// waits to be told that the log has grown; it does not look for itself.
// Any thread; reads are made on the threads for calls to engines.
#pragma once

#include <cstdint>
#include <memory>

#include "control/live.h"
#include "http/http.h"
#include "serve/live/live_threads.h"

namespace yard::serve {

// `live` and `threads` must outlive the stream.
void FollowLog(control::Live& live, LiveThreads& threads, const control::TaskChoice& task,
               std::int64_t offset, std::shared_ptr<http::Stream> stream);

}  // namespace yard::serve
