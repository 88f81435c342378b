// The file by which the server says who may sign in: what the keeper understands of it. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace yard::app::ftps {

struct FtpsUser {
  std::string line;  // all of it, to see changes
  std::uint32_t id = 0;
  std::string folder;  // in DIR/files: digits
};

// By name. A line that is not of the server's form is passed over, as proftpd does.
std::map<std::string, FtpsUser> ReadUsers(std::string_view text);

// Those of `before` whose line is gone or is another one.
std::vector<std::string> Ended(const std::map<std::string, FtpsUser>& before,
                               const std::map<std::string, FtpsUser>& after);

}  // namespace yard::app::ftps
