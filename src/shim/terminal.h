// A task's terminal and who is attached to it.
//
// Output goes to the log and to everyone attached; input comes from anyone attached. A client
// that does not read for a second is dropped rather than let it stop the task. One thread.
#pragma once

#include <poll.h>

#include <cstddef>
#include <cstdint>

#include "shim/failure.h"
#include "shim/format.h"

namespace yard::shim {

class Terminal {
 public:
  // Opens a new terminal; `slave` is for the command. Listens on tty.sock in the current folder.
  Failure Open(int* slave);

  // The same for a terminal that somebody else keeps: `stream` carries its bytes both ways, and
  // `resize` is called with `context` for a new size.
  using Resize = void (*)(void* context, TtySize size);
  Failure OpenOn(int stream, Resize resize, void* context);
  // Goes on with another stream.
  void SetStream(int stream) { master_ = stream; }

  int master() const { return master_; }

  static constexpr int kClients = 8;
  static constexpr int kPolls = kClients + 1;
  // Fills `polls` (kPolls of them) for poll(2), and takes up what it found.
  void Prepare(pollfd* polls) const;
  void Serve(const pollfd* polls);

  void Show(const char* bytes, std::size_t size);
  void Close();

 private:
  struct Client {
    int fd = -1;
    std::uint8_t use = 0;  // 0: has not said yet
    bool talks = true;     // false: has closed its input
    std::uint8_t size[sizeof(TtySize)] = {};
    std::size_t size_got = 0;
  };

  void Admit();
  static bool IsControl(Client& client);
  void Receive(Client& client);
  void TakeByte(Client& client, std::uint8_t byte);
  void TakeInput(Client& client, const char* bytes, std::size_t size);
  void Drop(Client& client);

  int master_ = -1;
  Resize resize_ = nullptr;  // null: the terminal is ours
  void* resize_context_ = nullptr;
  int listener_ = -1;
  Client clients_[kClients];
};

}  // namespace yard::shim
