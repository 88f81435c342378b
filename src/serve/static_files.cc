#include "serve/static_files.h"

#include <algorithm>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/strings.h"
#include "http/reply.h"
#include "model/reserved_names.h"

namespace yard::serve {
namespace {

constexpr std::string_view kPage = "/index.html";

// No request of the page leaves this origin, nothing inline runs, nobody frames it.
constexpr std::string_view kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'";

bool IsOfApi(std::string_view path) {
  std::string_view first = path.substr(std::min<std::size_t>(1, path.size()));
  first = first.substr(0, first.find('/'));
  return std::ranges::find(ApiRoots(), first) != ApiRoots().end();
}

bool NamesAFile(std::string_view path) {
  return path.substr(path.rfind('/') + 1).contains('.');
}

bool AcceptsBrotli(std::string_view accepted) {
  for (std::string_view item : Split(accepted, ',')) {
    std::string_view coding = Trim(item.substr(0, item.find(';')));
    if (coding == "br") return !item.contains(";q=0") || item.contains(";q=0.");
  }
  return false;
}

void Encode(http::Reply& reply, const web::File& file, std::string_view accepted) {
  std::string_view body = file.plain;
  if (!file.brotli.empty() && AcceptsBrotli(accepted)) {
    body = file.brotli;
    reply.headers.emplace_back("Content-Encoding", "br");
  } else if (!file.gzip.empty() && http::AcceptsGzip(accepted)) {
    body = file.gzip;
    reply.headers.emplace_back("Content-Encoding", "gzip");
  }
  reply.body = body;
}

bool IsKnown(const http::Request& request, std::string_view tag) {
  for (std::string_view known : Split(request.Find("if-none-match").value_or(""), ',')) {
    if (Trim(known) == tag || Trim(known) == "*") return true;
  }
  return false;
}

// The page names its files from the root of the host. A reverse proxy may have put the server below
// a path that only the browser knows, so they are named from the page: "../" for each folder of it.
std::string PageFor(std::string_view path, std::string_view page) {
  constexpr std::string_view kFromRoot = "=\"/";
  std::string up = "=\"./";
  for (auto folders = std::ranges::count(path, '/'); folders > 1; --folders) up += "../";
  std::string out;
  for (std::size_t at = page.find(kFromRoot); at != page.npos; at = page.find(kFromRoot)) {
    out.append(page.substr(0, at)).append(up);
    page.remove_prefix(at + kFromRoot.size());
  }
  return out.append(page);
}

http::Reply FileReply(const http::Request& request, const web::File& file) {
  http::Reply reply;
  reply.content_type = file.content_type;
  // Weak, since one content has several encodings.
  std::string tag = fmt::format("W/\"{}\"", file.tag);
  bool forever = file.lifetime == web::Lifetime::kForever;
  reply.headers = {
      {"ETag", tag},
      {"Cache-Control", forever ? "public, max-age=31536000, immutable" : "no-cache"},
      {"Vary", "Accept-Encoding"},
      {"X-Content-Type-Options", "nosniff"},
      {"Referrer-Policy", "same-origin"},
      {"Content-Security-Policy", std::string(kPolicy)},
      {"Cross-Origin-Opener-Policy", "same-origin"},
  };
  if (IsKnown(request, tag)) {
    reply.status = 304;
    return reply;
  }
  if (file.path == kPage) {
    reply.body = PageFor(request.path(), file.plain);
    return reply;
  }
  Encode(reply, file, request.Find("accept-encoding").value_or(""));
  return reply;
}

}  // namespace

std::optional<http::Reply> StaticReply(const http::Request& request,
                                       std::span<const web::File> files) {
  using enum http::Method;
  std::string_view path = request.path();
  if ((request.method != kGet && request.method != kHead) || IsOfApi(path)) return std::nullopt;
  auto found = std::ranges::lower_bound(files, path, {}, &web::File::path);
  if (found != files.end() && found->path == path) return FileReply(request, *found);
  if (NamesAFile(path)) return std::nullopt;
  found = std::ranges::lower_bound(files, kPage, {}, &web::File::path);
  if (found == files.end() || found->path != kPage) return std::nullopt;
  return FileReply(request, *found);
}

}  // namespace yard::serve
