#include "serve/proxy/tunnel.h"

#include <utility>

#include "serve/live/descriptor.h"

namespace yard::serve {
namespace {

constexpr std::size_t kPiece = 64 * 1024;

class Joint final : public std::enable_shared_from_this<Joint> {
 public:
  Joint(LiveThreads& threads, UniqueFd tool, std::shared_ptr<http::Tunnel> browser)
      : threads_(threads), tool_(std::move(tool)), browser_(std::move(browser)) {}

  void Start(std::string first) {
    SetNonBlocking(tool_.get());
    ToBrowser(std::move(first));
    FromBrowser();
  }

 private:
  void OnPoller(std::move_only_function<void(Joint&)> action) {
    threads_.poller.Post(
        [self = shared_from_this(), action = std::move(action)]() mutable { action(*self); });
  }

  void ToBrowser(std::string bytes) {
    browser_->Send(std::move(bytes), [self = shared_from_this()](Status sent) {
      self->OnPoller([ok = sent.has_value()](Joint& it) { ok ? it.FromTool() : it.Close(); });
    });
  }

  void FromTool() {
    if (!tool_) return;
    std::string bytes;
    Flow flow = ReadSome(tool_.get(), kPiece, bytes);
    if (flow == Flow::kSome) return ToBrowser(std::move(bytes));
    if (flow == Flow::kEnded) return Close();
    threads_.poller.OnReadable(tool_.get(), [self = shared_from_this()] { self->FromTool(); });
  }

  void FromBrowser() {
    browser_->Receive([self = shared_from_this()](std::string bytes) {
      self->OnPoller([bytes = std::move(bytes)](Joint& it) mutable {
        bytes.empty() ? it.Close() : it.ToTool(std::move(bytes), 0);
      });
    });
  }

  void ToTool(std::string bytes, std::size_t from) {
    std::string_view rest = std::string_view(bytes).substr(from);
    while (tool_ && !rest.empty()) {
      Flow flow = WriteSome(tool_.get(), rest);
      if (flow == Flow::kEnded) return Close();
      if (flow == Flow::kSome) continue;
      std::size_t at = bytes.size() - rest.size();
      return threads_.poller.OnWritable(
          tool_.get(), [self = shared_from_this(), at, bytes = std::move(bytes)]() mutable {
            self->ToTool(std::move(bytes), at);
          });
    }
    if (tool_) FromBrowser();
  }

  void Close() {
    if (!tool_) return;
    threads_.poller.Forget(tool_.get());
    tool_.Reset();
    browser_->Close();
    browser_.reset();
  }

  LiveThreads& threads_;
  UniqueFd tool_;
  std::shared_ptr<http::Tunnel> browser_;
};

}  // namespace

void JoinTunnel(LiveThreads& threads, UniqueFd tool, std::shared_ptr<http::Tunnel> browser,
                std::string first) {
  auto joint = std::make_shared<Joint>(threads, std::move(tool), std::move(browser));
  threads.poller.Post(
      [joint, first = std::move(first)]() mutable { joint->Start(std::move(first)); });
}

}  // namespace yard::serve
