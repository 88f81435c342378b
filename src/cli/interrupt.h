// Ctrl-C as a question that can be asked, for as long as one of these lives. At most one at a
// time. Afterwards Ctrl-C ends the program again.
#pragma once

namespace yard::cli {

class Interrupt {
 public:
  Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;
  ~Interrupt();

  bool came() const;
};

}  // namespace yard::cli
