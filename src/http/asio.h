// What a connection uses of Boost.Asio, by short names. For connection.cc alone.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace yard::http {

namespace net = boost::asio;
using Executor = net::io_context::executor_type;
using Protocol = net::generic::stream_protocol;
using Socket = net::basic_stream_socket<Protocol, Executor>;
using TlsStream = net::ssl::stream<Socket&>;
using boost::system::error_code;
template <class T>
using Task = net::awaitable<T, Executor>;
inline constexpr net::use_awaitable_t<Executor> kAwait;

}  // namespace yard::http
