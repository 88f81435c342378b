#include "wire/enums.h"

#include <array>

namespace yard::wire {
namespace {

template <class E, std::size_t N>
using Table = std::array<EnumName<E>, N>;

constexpr Table<ScopeType, 5> kScopeTypes{{{ScopeType::kSystem, "system"},
                                           {ScopeType::kTenant, "tenant"},
                                           {ScopeType::kCluster, "cluster"},
                                           {ScopeType::kDepartment, "department"},
                                           {ScopeType::kProject, "project"}}};
constexpr Table<SubjectType, 3> kSubjectTypes{
    {{SubjectType::kUser, "user"}, {SubjectType::kApp, "app"}, {SubjectType::kGroup, "group"}}};
constexpr Table<Action, 4> kActions{{{Action::kCreate, "create"},
                                     {Action::kRead, "read"},
                                     {Action::kUpdate, "update"},
                                     {Action::kDelete, "delete"}}};
constexpr Table<Placement, 2> kPlacements{
    {{Placement::kBinPack, "binpack"}, {Placement::kSpread, "spread"}}};
constexpr Table<NodeStatus, 3> kNodeStatuses{{{NodeStatus::kReady, "Ready"},
                                              {NodeStatus::kNotReady, "NotReady"},
                                              {NodeStatus::kUnknown, "Unknown"}}};
constexpr Table<WorkAccess, 3> kWorkAccesses{{{WorkAccess::kTeam, "team"},
                                              {WorkAccess::kGuarded, "guarded"},
                                              {WorkAccess::kPrivate, "private"}}};
constexpr Table<Fairness, 4> kFairnesses{{{Fairness::kFairShare, "fair-share"},
                                          {Fairness::kNthGpu, "nth-gpu"},
                                          {Fairness::kDecayedShare, "decayed"},
                                          {Fairness::kFifo, "fifo"}}};
constexpr Table<PolicyType, 4> kPolicyTypes{{{PolicyType::kWorkspace, "workspace"},
                                             {PolicyType::kTraining, "training"},
                                             {PolicyType::kDistributed, "distributed"},
                                             {PolicyType::kInference, "inference"}}};
constexpr Table<WorkloadType, 4> kWorkloadTypes{{{WorkloadType::kWorkspace, "Workspace"},
                                                 {WorkloadType::kTraining, "Training"},
                                                 {WorkloadType::kDistributed, "Distributed"},
                                                 {WorkloadType::kInference, "Inference"}}};
constexpr Table<DesiredPhase, 3> kDesiredPhases{{{DesiredPhase::kRunning, "Running"},
                                                 {DesiredPhase::kStopped, "Stopped"},
                                                 {DesiredPhase::kDeleted, "Deleted"}}};
constexpr Table<Phase, 14> kPhases{{{Phase::kCreating, "Creating"},
                                    {Phase::kInitializing, "Initializing"},
                                    {Phase::kResuming, "Resuming"},
                                    {Phase::kPending, "Pending"},
                                    {Phase::kDeleting, "Deleting"},
                                    {Phase::kRunning, "Running"},
                                    {Phase::kUpdating, "Updating"},
                                    {Phase::kStopped, "Stopped"},
                                    {Phase::kStopping, "Stopping"},
                                    {Phase::kDegraded, "Degraded"},
                                    {Phase::kFailed, "Failed"},
                                    {Phase::kCompleted, "Completed"},
                                    {Phase::kTerminating, "Terminating"},
                                    {Phase::kUnknown, "Unknown"}}};
constexpr Table<Life, 15> kLives{{{Life::kNew, "New"},
                                  {Life::kWaiting, "Waiting"},
                                  {Life::kStarting, "Starting"},
                                  {Life::kReturning, "Returning"},
                                  {Life::kRunning, "Running"},
                                  {Life::kLeaving, "Leaving"},
                                  {Life::kParked, "Parked"},
                                  {Life::kSuspending, "Suspending"},
                                  {Life::kSuspended, "Suspended"},
                                  {Life::kResuming, "Resuming"},
                                  {Life::kCancelling, "Cancelling"},
                                  {Life::kCancelled, "Cancelled"},
                                  {Life::kCompleted, "Completed"},
                                  {Life::kFailed, "Failed"},
                                  {Life::kDeleting, "Deleting"}}};
constexpr Table<EndCause, 12> kEndCauses{{{EndCause::kCompleted, "Completed"},
                                          {EndCause::kExit, "Exit"},
                                          {EndCause::kSignal, "Signal"},
                                          {EndCause::kOutOfMemory, "OutOfMemory"},
                                          {EndCause::kLaunchFailed, "LaunchFailed"},
                                          {EndCause::kTimeLimit, "TimeLimit"},
                                          {EndCause::kIdle, "Idle"},
                                          {EndCause::kSuspended, "Suspended"},
                                          {EndCause::kDeleted, "Deleted"},
                                          {EndCause::kCancelled, "Cancelled"},
                                          {EndCause::kPreempted, "Preempted"},
                                          {EndCause::kNodeLost, "NodeLost"}}};
constexpr Table<Residence, 4> kResidences{{{Residence::kOnGpu, "OnGpu"},
                                           {Residence::kLeaving, "Leaving"},
                                           {Residence::kAway, "Away"},
                                           {Residence::kReturning, "Returning"}}};
constexpr Table<AfterCondition, 3> kAfterConditions{
    {{AfterCondition::kOk, "ok"}, {AfterCondition::kAny, "any"}, {AfterCondition::kFail, "fail"}}};
constexpr Table<NotifyEvent, 9> kNotifyEvents{{{NotifyEvent::kRunning, "Running"},
                                               {NotifyEvent::kCompleted, "Completed"},
                                               {NotifyEvent::kFailed, "Failed"},
                                               {NotifyEvent::kPreempted, "Preempted"},
                                               {NotifyEvent::kEndedByOther, "EndedByOther"},
                                               {NotifyEvent::kIdleWarning, "IdleWarning"},
                                               {NotifyEvent::kTimeLimitNear, "TimeLimitNear"},
                                               {NotifyEvent::kWaitingLong, "WaitingLong"},
                                               {NotifyEvent::kTest, "Test"}}};
constexpr Table<NotifyChannel, 3> kNotifyChannels{{{NotifyChannel::kEmail, "email"},
                                                   {NotifyChannel::kSlack, "slack"},
                                                   {NotifyChannel::kWebhook, "webhook"}}};
constexpr Table<DeliveryOutcome, 3> kDeliveryOutcomes{{{DeliveryOutcome::kPending, "Pending"},
                                                       {DeliveryOutcome::kSent, "Sent"},
                                                       {DeliveryOutcome::kGivenUp, "GivenUp"}}};
constexpr Table<AssetKind, 16> kAssetKinds{{{AssetKind::kCompute, "compute"},
                                            {AssetKind::kEnvironment, "environment"},
                                            {AssetKind::kAccessKey, "accessKey"},
                                            {AssetKind::kDockerRegistry, "dockerRegistry"},
                                            {AssetKind::kPassword, "password"},
                                            {AssetKind::kGenericSecret, "genericSecret"},
                                            {AssetKind::kRegistry, "registry"},
                                            {AssetKind::kS3, "s3"},
                                            {AssetKind::kGit, "git"},
                                            {AssetKind::kNfs, "nfs"},
                                            {AssetKind::kPvc, "pvc"},
                                            {AssetKind::kHostPath, "hostPath"},
                                            {AssetKind::kTemplate, "workload-template"},
                                            {AssetKind::kConfigMap, "config-map"},
                                            {AssetKind::kSecretVolume, "secret-volume"},
                                            {AssetKind::kDataVolume, "data-volume"}}};
constexpr Table<Resource, 39> kResources{{
    {Resource::kDepartment, "department"},
    {Resource::kTenant, "tenant"},
    {Resource::kProject, "project"},
    {Resource::kCluster, "cluster"},
    {Resource::kClusterConfig, "cluster-config"},
    {Resource::kNodePools, "nodepools"},
    {Resource::kNodes, "nodes"},
    {Resource::kSettings, "settings"},
    {Resource::kUsers, "users"},
    {Resource::kGroups, "groups"},
    {Resource::kApps, "apps"},
    {Resource::kDashboardsOverview, "dashboards-overview"},
    {Resource::kDashboardsAnalytics, "dashboards-analytics"},
    {Resource::kDashboardsConsumption, "dashboards-consumption"},
    {Resource::kRoles, "roles"},
    {Resource::kAccessRules, "access_rules"},
    {Resource::kJobs, "jobs"},
    {Resource::kWorkloads, "workloads"},
    {Resource::kWorkspaces, "workspaces"},
    {Resource::kTrainings, "trainings"},
    {Resource::kInferences, "inferences"},
    {Resource::kEnvironments, "environments"},
    {Resource::kPvcAssets, "pvc-assets"},
    {Resource::kGitAssets, "git-assets"},
    {Resource::kHostPathAssets, "host-path-assets"},
    {Resource::kNfsAssets, "nfs-assets"},
    {Resource::kS3Assets, "s3-assets"},
    {Resource::kComputeResources, "compute-resources"},
    {Resource::kTemplates, "templates"},
    {Resource::kCredentials, "credentials"},
    {Resource::kEventsHistory, "events-history"},
    {Resource::kPolicies, "policies"},
    {Resource::kConfigMapAssets, "cm-volume-assets"},
    {Resource::kDataVolumes, "datavolumes"},
    {Resource::kDataVolumesSharing, "datavolumes/sharedscopes"},
    {Resource::kSecretAssets, "secret-volume-assets"},
    {Resource::kStorageClasses, "storage-class-configuration"},
    {Resource::kPersonalApps, "personal-apps"},
    {Resource::kMachineAccounts, "machine-accounts"},
}};

}  // namespace

// clang-format off
template <> std::span<const EnumName<ScopeType>> NamesOf() { return kScopeTypes; }
template <> std::span<const EnumName<SubjectType>> NamesOf() { return kSubjectTypes; }
template <> std::span<const EnumName<Action>> NamesOf() { return kActions; }
template <> std::span<const EnumName<Resource>> NamesOf() { return kResources; }
template <> std::span<const EnumName<Placement>> NamesOf() { return kPlacements; }
template <> std::span<const EnumName<NodeStatus>> NamesOf() { return kNodeStatuses; }
template <> std::span<const EnumName<Fairness>> NamesOf() { return kFairnesses; }
template <> std::span<const EnumName<WorkAccess>> NamesOf() { return kWorkAccesses; }
template <> std::span<const EnumName<AssetKind>> NamesOf() { return kAssetKinds; }
template <> std::span<const EnumName<PolicyType>> NamesOf() { return kPolicyTypes; }
template <> std::span<const EnumName<WorkloadType>> NamesOf() { return kWorkloadTypes; }
template <> std::span<const EnumName<Phase>> NamesOf() { return kPhases; }
template <> std::span<const EnumName<Life>> NamesOf() { return kLives; }
template <> std::span<const EnumName<DesiredPhase>> NamesOf() { return kDesiredPhases; }
template <> std::span<const EnumName<EndCause>> NamesOf() { return kEndCauses; }
template <> std::span<const EnumName<Residence>> NamesOf() { return kResidences; }
template <> std::span<const EnumName<AfterCondition>> NamesOf() { return kAfterConditions; }
template <> std::span<const EnumName<NotifyEvent>> NamesOf() { return kNotifyEvents; }
template <> std::span<const EnumName<NotifyChannel>> NamesOf() { return kNotifyChannels; }
template <> std::span<const EnumName<DeliveryOutcome>> NamesOf() { return kDeliveryOutcomes; }
// clang-format on

}  // namespace yard::wire
