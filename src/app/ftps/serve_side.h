// The server's part of FTPS: hands the cage its certificate and who may sign in, and reads what was
// uploaded. The process that runs it has no privileges; see app/ftps/start.h for the other part.
//
// Made and destroyed by one thread.
#pragma once

#include <memory>

#include "app/ftps/start.h"
#include "app/settings.h"
#include "base/result.h"
#include "control/data/datasets.h"
#include "control/ftps/ftps.h"
#include "control/service.h"

namespace yard::app::ftps {

class ServeSide {
 public:
  // Service and data sets must outlive it.
  static Result<std::unique_ptr<ServeSide>> Open(const Settings& settings, FtpsPlace place,
                                                 control::Service& service,
                                                 control::DataSets& sets);
  virtual ~ServeSide() = default;
  virtual control::Ftps& ftps() = 0;
  // Folders are taken no more. Before the server of the API goes, which is asked about rights.
  virtual void Stop() = 0;
};

}  // namespace yard::app::ftps
