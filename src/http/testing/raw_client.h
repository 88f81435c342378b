// For tests: a client that sends exactly the bytes it is told to and shows what came back.
//
// Blocking, with a timeout of its own, so that a server that never answers fails a test instead of
// hanging it. One thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/http.h"

namespace yard::http::testing {

struct RawReply {
  int status = 0;               // 0: the connection ended before a whole head arrived
  std::vector<Header> headers;  // names in lower case
  std::string body;             // without chunk framing
  bool complete = false;        // the body ended as announced

  std::string Find(std::string_view name) const;
};

class RawClient {
 public:
  static RawClient Tcp(std::uint16_t port);
  // From another address of the loopback network: the last byte is its own.
  static RawClient TcpFrom(std::uint8_t last_byte, std::uint16_t port);
  static RawClient Unix(const std::string& path);
  // Sets a small receive buffer, to be a slow reader soon.
  static RawClient TcpWithSmallWindow(std::uint16_t port);

  // Whether anybody listens there.
  static bool IsServed(std::uint16_t port);

  RawClient(RawClient&& other) noexcept;
  ~RawClient();

  // False when the peer has closed.
  bool Send(std::string_view bytes);
  // The next whole answer.
  RawReply Read();
  RawReply ReadHeadOnly();
  // At least `n` more bytes of what has arrived, fewer at the end of the connection.
  std::string ReadBytes(std::size_t n);
  // True when the peer closes, orderly or not, without sending anything more.
  bool AtEnd();
  // Everything until the peer closes.
  std::string ReadAll();
  void CloseWriting();
  void Close();

 private:
  explicit RawClient(int fd);
  bool Fill();
  std::optional<RawReply> ReadHead();
  void ReadChunks(RawReply& reply);
  bool TakeExactly(std::size_t n, std::string& out);
  std::optional<std::string> TakeLine();

  int fd_;
  std::string buffer_;
};

}  // namespace yard::http::testing
