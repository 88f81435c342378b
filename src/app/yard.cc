#include "app/yard.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "api/groups.h"
#include "api/track/tracked.h"
#include "app/accounts.h"
#include "app/backup.h"
#include "app/certificates.h"
#include "app/cluster_records.h"
#include "app/engines.h"
#include "app/ftps/serve_side.h"
#include "app/identity.h"
#include "app/messages.h"
#include "app/room.h"
#include "app/single_sign_on.h"
#include "app/tracking.h"
#include "base/log.h"
#include "base/random.h"
#include "base/strings.h"
#include "control/commands/bootstrap.h"
#include "control/commands/workload_orders.h"
#include "control/data/output_saver.h"
#include "control/data/uses.h"
#include "control/notify/notifier.h"
#include "control/policy/host_lists.h"
#include "control/runtime/clusters.h"
#include "control/service.h"
#include "control/state/retention.h"
#include "control/track/tracking.h"
#include "engine/remote/remote_engine.h"
#include "facade/farm/routes.h"
#include "facade/mlflow/routes.h"
#include "http/server.h"
#include "http/tls.h"
#include "serve/server.h"
#include "store/sqlite/sqlite_store.h"

namespace yard::app {
namespace {

constexpr Micros kBetweenCycles{2000};

using cli::ExitCode;

std::unexpected<StartFailure> Failed(ExitCode exit_code, Error error) {
  return std::unexpected(StartFailure{std::move(error), exit_code});
}

ExitCode StoreExitCode(const Error& error) {
  if (error.code == Code::kConflict) return ExitCode::kLocked;
  if (error.code == Code::kUnavailable) return ExitCode::kDataDirectory;
  return ExitCode::kDatabase;
}

http::Limits LimitsOf(const Settings& settings) {
  http::Limits limits;
  limits.header_bytes = static_cast<std::size_t>(settings.Whole("max-header-bytes"));
  limits.body_bytes = static_cast<std::size_t>(settings.Whole("max-body-bytes"));
  limits.all_bodies_bytes = static_cast<std::size_t>(settings.Whole("max-bodies-bytes"));
  limits.connections = static_cast<std::size_t>(settings.Whole("max-connections"));
  limits.body_timeout = Seconds(settings.Whole("request-timeout-seconds"));
  limits.handler_timeout = Seconds(settings.Whole("request-timeout-seconds"));
  limits.idle_timeout = Seconds(settings.Whole("idle-timeout-seconds"));
  return limits;
}

std::string WithoutSlash(std::string url) {
  while (url.ends_with('/')) url.pop_back();
  return url;
}

// Tells the state which folders and sockets work may never mount.
Status CloseFolders(control::Service& service, const std::vector<std::string>& folders) {
  return service.WriteAndWait(control::SystemPrincipal(), [&folders](control::Txn& txn) {
    return control::CloseFolders(txn, folders);
  });
}

class RunningYard final : public Yard {
 public:
  explicit RunningYard(const Settings& settings) : settings_(settings) {}
  ~RunningYard() override { Stop(); }

  std::expected<void, StartFailure> Open(YardOptions options);

  control::Service& service() override { return *service_; }
  std::string url() const override { return url_; }
  std::string socket() const override { return socket_; }
  const std::optional<FirstCredentials>& first_credentials() const override { return first_; }
  Status MakeFirstProject() override { return control::MakeFirstProject(*service_); }
  void Tick() override;
  void Stop() override;

 private:
  std::expected<void, StartFailure> OpenState(std::optional<std::string> admin_password);
  std::expected<void, StartFailure> OpenWork(YardOptions options);
  std::expected<void, StartFailure> OpenClusters();
  control::DriverOptions DriverOptionsWith(control::LaunchContext launch) const;
  Result<std::vector<std::string>> OpenEngineApart(UniqueFd process);
  std::expected<void, StartFailure> OpenFtps(std::optional<ftps::FtpsPlace> place);
  void OpenOutputs();
  void GatherRoutes();
  std::expected<void, StartFailure> OpenCourier();
  std::expected<void, StartFailure> Listen();
  std::expected<void, StartFailure> ListenForTools(http::ServerOptions options);
  std::string UrlAt(const Address& listen, std::uint16_t port) const;

  const Settings settings_;
  std::string url_;
  std::string socket_;
  std::optional<FirstCredentials> first_;
  control::MachineAccounts accounts_;

  // In the order of their making; each borrows from those before it.
  std::unique_ptr<control::Service> service_;
  std::unique_ptr<Identity> identity_;
  std::unique_ptr<engine::Engine> engine_;
  std::function<Result<std::string>(const std::string&)> resolve_path_;  // by engine_; may be empty
  std::vector<std::unique_ptr<engine::Engine>> engines_;                 // of further clusters
  std::unique_ptr<control::DataSets> data_sets_;
  std::unique_ptr<ftps::ServeSide> ftps_;  // null: it is not served
  std::unique_ptr<control::Clusters> clusters_;
  std::unique_ptr<control::OutputSaver> outputs_;
  std::unique_ptr<control::Courier> courier_;
  std::unique_ptr<control::Tracking> tracking_;
  std::unique_ptr<control::Studies> studies_;
  serve::Addresses addresses_;
  std::unique_ptr<oidc::Provider> oidc_;
  std::vector<serve::Route> routes_;
  std::vector<serve::UploadRoute> uploads_;
  std::vector<serve::Dialect> dialects_;  // as the routes, they outlive the server
  std::unique_ptr<serve::Server> api_;
  std::unique_ptr<http::Server> http_;
  std::unique_ptr<http::Server> tools_;  // an origin of its own; null: it is off
  std::unique_ptr<control::Notifier> notifier_;
  std::optional<Time> pruned_at_;
  control::RetentionPolicy retention_;
};

std::expected<void, StartFailure> RunningYard::OpenState(
    std::optional<std::string> admin_password) {
  const std::string& folder = settings_.Text("data-dir");
  if (Status whole = FinishRestore(folder); !whole)
    return Failed(ExitCode::kDataDirectory, whole.error());
  Result<std::unique_ptr<store::Store>> store = store::OpenSqlite(folder);
  if (!store) return Failed(StoreExitCode(store.error()), store.error());
  auto service = control::Service::Start(*std::move(store), SystemClock(), SystemRandom());
  if (!service) return Failed(ExitCode::kDatabase, service.error());
  service_ = *std::move(service);
  auto identity = Identity::Open(folder, *service_, std::move(admin_password));
  if (!identity) return Failed(ExitCode::kDataDirectory, identity.error());
  identity_ = *std::move(identity);
  first_ = identity_->first_credentials();
  if (!MustHoldQueue(folder)) return {};
  // The server that the backup was made of may run the same work.
  Status held = service_->WriteAndWait(control::SystemPrincipal(),
                                       [](control::Txn& txn) { return control::HoldQueue(txn); });
  if (!held) return Failed(ExitCode::kDatabase, held.error());
  QueueIsHeld(folder);
  log::Warning("work that waited in the backup is held; `gpuyard release '*' --others` lets it go");
  return {};
}

// The engine of a server that gave up its privileges. Answers with what no work may mount.
Result<std::vector<std::string>> RunningYard::OpenEngineApart(UniqueFd process) {
  YARD_ASSIGN(auto engine, engine::RemoteEngine::Open(std::move(process), [] {
                // What was acknowledged is durable; whoever restarts servers starts both anew.
                log::Error("the engine's process has ended, so the server ends too");
                std::_Exit(static_cast<int>(ExitCode::kError));
              }));
  resolve_path_ = [remote = engine.get()](const std::string& path) {
    return remote->ResolvePath(path);
  };
  std::vector<std::string> folders = engine->closed_folders();
  engine_ = std::move(engine);
  return folders;
}

std::expected<void, StartFailure> RunningYard::OpenWork(YardOptions options) {
  Result<std::vector<std::string>> folders =
      options.engine_process ? OpenEngineApart(std::move(options.engine_process))
                             : DaemonFolders(settings_);
  if (!folders) return Failed(ExitCode::kDataDirectory, folders.error());
  Status closed = CloseFolders(*service_, OwnFolders(settings_, *std::move(folders)));
  if (!closed) return Failed(ExitCode::kDatabase, closed.error());
  if (options.engine) engine_ = std::move(options.engine);
  if (!engine_) {
    auto engine = OpenEngine(settings_);
    if (!engine) return Failed(ExitCode::kDataDirectory, engine.error());
    engine_ = *std::move(engine);
  }
  clusters_ = std::make_unique<control::Clusters>(*service_);
  if (engine_) {
    control::LaunchContext launch = LaunchContextOf(settings_, identity_->vault(), accounts_);
    if (resolve_path_) launch.resolve_path = resolve_path_;
    Status driven = clusters_->Add(*engine_, DriverOptionsWith(std::move(launch)));
    if (!driven) return Failed(ExitCode::kDataDirectory, driven.error());
  }
  return OpenClusters();
}

control::DriverOptions RunningYard::DriverOptionsWith(control::LaunchContext launch) const {
  launch.data_view = [this](ProjectId project, const DataSetMount& mount) -> Result<std::string> {
    const std::string& which = mount.version.empty() ? mount.tag : mount.version;
    YARD_ASSIGN(store::DataVersion version, data_sets_->Find(project, mount.name, which));
    return data_sets_->View(project, version);
  };
  return {.launch = std::move(launch),
          .pause = kBetweenCycles,
          .usage = {.folder = settings_.Text("data-dir") + "/usage"}};
}

// Those beside the server's own. What cannot be reached now is asked again until it answers.
std::expected<void, StartFailure> RunningYard::OpenClusters() {
  auto records = MakeClusterRecords(*service_, settings_.clusters(), engine_ != nullptr);
  if (!records) return Failed(ExitCode::kUsage, records.error());
  for (std::size_t i = 0; i < settings_.clusters().size(); ++i) {
    auto engine = OpenClusterEngine(settings_, settings_.clusters()[i]);
    if (!engine) return Failed(ExitCode::kUsage, engine.error());
    engines_.push_back(*std::move(engine));
    // All work there runs as the one account that the engine has on the cluster.
    control::DriverOptions options =
        DriverOptionsWith({.vault = &identity_->vault(), .native = control::NativeTasks::kSelf});
    options.cluster = (*records)[i];
    options.contact = control::FirstContact::kLater;
    Status driven = clusters_->Add(*engines_.back(), std::move(options));
    if (!driven) return Failed(ExitCode::kDataDirectory, driven.error());
  }
  if (clusters_->empty()) clusters_.reset();
  return {};
}

std::expected<void, StartFailure> RunningYard::Listen() {
  Address listen = *ParseAddress(settings_.Text("listen"));
  auto tls = PrepareTls(settings_, listen);
  if (!tls) return Failed(ExitCode::kTls, tls.error());
  socket_ = SocketPath(settings_);
  if (socket_.empty())
    log::Warning(
        "the data directory's path is too long for a unix socket; use the setting 'socket'",
        {{"path", settings_.Text("data-dir")}});
  http::ServerOptions options{.host = listen.host,
                              .port = listen.port,
                              .tls = *tls,
                              .threads = static_cast<int>(settings_.Whole("threads")),
                              .limits = LimitsOf(settings_),
                              .gate = api_.get()};
  if (!socket_.empty()) options.unix_path = socket_;
  auto http = http::Server::Start(std::move(options), *api_);
  if (!http) {
    bool about_tls = settings_.Text("tls") != "off" && http.error().code != Code::kUnavailable &&
                     http.error().code != Code::kConflict;
    return Failed(about_tls ? ExitCode::kTls : ExitCode::kCannotListen, http.error());
  }
  http_ = *std::move(http);
  url_ = UrlAt(listen, http_->port());
  addresses_.dashboard.port = http_->port();
  return ListenForTools({.host = listen.host,
                         .tls = *tls,
                         .threads = static_cast<int>(settings_.Whole("threads")),
                         .limits = LimitsOf(settings_),
                         .gate = &api_->tools()});
}

// Next to the dashboard's port if nothing else is said and nobody has that one.
std::expected<void, StartFailure> RunningYard::ListenForTools(http::ServerOptions options) {
  const std::string& said = settings_.Text("tools-listen");
  if (said == "off") return {};
  options.port = static_cast<std::uint16_t>(http_->port() + 1);
  if (!said.empty()) {
    Result<Address> address = ParseAddress(said);
    if (!address) return Failed(ExitCode::kUsage, address.error());
    options.host = address->host;
    options.port = address->port;
  }
  auto tools = http::Server::Start(options, api_->tools());
  if (!tools && said.empty()) {
    options.port = 0;
    tools = http::Server::Start(options, api_->tools());
  }
  if (!tools) return Failed(ExitCode::kCannotListen, tools.error());
  tools_ = *std::move(tools);
  addresses_.tools.port = tools_->port();
  return {};
}

std::string RunningYard::UrlAt(const Address& listen, std::uint16_t port) const {
  std::string host = HostOf(listen);
  if (host.contains(':')) host = fmt::format("[{}]", host);
  return fmt::format("{}://{}:{}", settings_.Text("tls") == "off" ? "http" : "https", host, port);
}

std::expected<void, StartFailure> RunningYard::OpenCourier() {
  Address listen = *ParseAddress(settings_.Text("listen"));
  std::string url = listen.port == 0 ? std::string() : UrlAt(listen, listen.port);
  auto options = CourierOptionsOf(settings_, std::move(url));
  if (!options) return Failed(ExitCode::kUsage, options.error());
  courier_ = notify::MakeCurlCourier(identity_->vault(), *std::move(options));
  return {};
}

std::expected<void, StartFailure> RunningYard::OpenFtps(std::optional<ftps::FtpsPlace> place) {
  if (!place) return {};
  auto opened = ftps::ServeSide::Open(settings_, *std::move(place), *service_, *data_sets_);
  if (!opened) return Failed(ExitCode::kDataDirectory, opened.error());
  ftps_ = *std::move(opened);
  return {};
}

void RunningYard::OpenOutputs() {
  if (!clusters_) return;
  control::OutputSaverOptions options{
      .read = [this](const control::TaskChoice& task,
                     const std::string& path) { return clusters_->ReadFiles(task, path); },
      .room = [folder = settings_.Text("data-dir")] { return RequireRoom(folder); }};
  outputs_ = std::make_unique<control::OutputSaver>(*service_, *data_sets_, std::move(options));
}

// Our own API, and the protocols of other systems.
void RunningYard::GatherRoutes() {
  routes_ = api::AllRoutes();
  for (const auto* more : {&facade::mlflow::Routes(), &facade::farm::Routes()})
    routes_.insert(routes_.end(), more->begin(), more->end());
  for (const auto* more : {&facade::mlflow::Dialects(), &facade::farm::Dialects()})
    dialects_.insert(dialects_.end(), more->begin(), more->end());
  uploads_ = facade::mlflow::Uploads();
  uploads_.push_back(api::RunFileUpload());
  uploads_.push_back(api::RunPartUpload());
}

std::expected<void, StartFailure> RunningYard::Open(YardOptions options) {
  auto keep = control::ParseKeepRules({.days = settings_.Text("ended-days"),
                                       .workloads = settings_.Text("ended-workloads"),
                                       .mebibytes = settings_.Text("ended-mib")});
  if (!keep) return Failed(ExitCode::kUsage, keep.error());
  retention_ = {.journal = Days(settings_.Whole("retention-days")), .keep = *std::move(keep)};
  if (auto opened = OpenState(std::move(options.admin_password)); !opened) return opened;
  auto accounts = MachineAccountsOf(settings_);
  if (!accounts) return Failed(ExitCode::kUsage, accounts.error());
  accounts_ = *std::move(accounts);
  auto data_sets = OpenDataSets(settings_.Text("data-dir"));
  if (!data_sets) return Failed(ExitCode::kDataDirectory, data_sets.error());
  data_sets_ = *std::move(data_sets);
  if (auto opened = OpenFtps(std::move(options.ftps)); !opened) return opened;
  if (auto opened = OpenWork(std::move(options)); !opened) return opened;
  OpenOutputs();
  if (auto opened = OpenCourier(); !opened) return opened;
  auto tracking = OpenTracking(settings_.Text("data-dir"), ArtifactLimitsOf(settings_));
  if (!tracking) return Failed(ExitCode::kDataDirectory, tracking.error());
  tracking_ = *std::move(tracking);
  auto studies =
      OpenStudies(settings_.Text("data-dir"), *service_, clusters_.get(), tracking_.get());
  if (!studies) return Failed(ExitCode::kDataDirectory, studies.error());
  studies_ = *std::move(studies);
  addresses_.dashboard.url = WithoutSlash(settings_.Text("public-url"));
  addresses_.tools.url = WithoutSlash(settings_.Text("tools-url"));
  Address listen = *ParseAddress(settings_.Text("listen"));
  auto oidc = ProviderOf(settings_, UrlAt(listen, listen.port));
  if (!oidc) return Failed(ExitCode::kUsage, oidc.error());
  oidc_ = *std::move(oidc);
  auto proxies = serve::TrustedProxies::Parse(settings_.Text("trusted-proxies"));
  if (!proxies) return Failed(ExitCode::kUsage, proxies.error());
  GatherRoutes();
  api_ = std::make_unique<serve::Server>(
      serve::ServerContext{
          .service = *service_,
          .authenticator = identity_->authenticator(),
          .vault = &identity_->vault(),
          .identity = &identity_->signing(),
          .live = clusters_.get(),
          .courier = courier_.get(),
          .addresses = &addresses_,
          .accounts = accounts_,
          .proxies = *proxies,
          .oidc = oidc_.get(),
          .tracking = tracking_.get(),
          .studies = studies_.get(),
          .data_sets = data_sets_.get(),
          .ftps = ftps_ ? &ftps_->ftps() : nullptr,
          .dialects = dialects_,
          .uploads = uploads_,
          .most_upload_bytes = ArtifactLimitsOf(settings_).of_a_file,
          .storage = [folder = settings_.Text("data-dir")] { return RequireRoom(folder); }},
      routes_);
  if (auto listening = Listen(); !listening) return listening;
  control::NotifierOptions notices;
  if (clusters_) notices.waiting = [this] { return clusters_->Waiting(); };
  if (clusters_)
    notices.last_lines = [this](WorkloadId id) {
      return LastLines(*clusters_, id, service_->Now());
    };
  notifier_ = std::make_unique<control::Notifier>(*service_, *courier_, std::move(notices));
  api_->SetReady(true);
  Tick();
  return {};
}

void RunningYard::Tick() {
  constexpr Micros kBetweenPrunings = Hours(1);
  const Time now = service_->Now();
  const bool prune = !pruned_at_ || now >= *pruned_at_ + kBetweenPrunings || now < *pruned_at_;
  if (prune) {
    pruned_at_ = now;
    data_sets_->Tidy(control::DataUsesOf(*service_->Read()));
    return control::RunRetention(*service_, retention_);
  }
  control::RetireExpired(*service_, retention_);
  control::ArchiveEnded(*service_, retention_);
}

void RunningYard::Stop() {
  if (api_) api_->SetReady(false);
  Micros grace = Seconds(settings_.Whole("stop-grace-seconds"));
  if (tools_) tools_->Stop(grace);
  if (http_) http_->Stop(grace);
  if (ftps_) ftps_->Stop();
  // Their answers go through the API, which ends before them.
  if (studies_) studies_->Stop();
  if (tracking_) tracking_->Stop();
}

}  // namespace

std::expected<std::unique_ptr<Yard>, StartFailure> Yard::Start(const Settings& settings,
                                                               YardOptions options) {
  auto yard = std::make_unique<RunningYard>(settings);
  if (auto opened = yard->Open(std::move(options)); !opened) {
    StartFailure failure = opened.error();
    failure.first = yard->first_credentials();
    return std::unexpected(std::move(failure));
  }
  return yard;
}

}  // namespace yard::app
