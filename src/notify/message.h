// What is said of an event, in the form each channel wants it.
//
// Names, reasons and sentences come from people and from their work: nothing of them may act as
// markup, as a mention or as a header. Pure functions; thread-safe.
#pragma once

#include <string>
#include <string_view>

#include "base/time.h"
#include "model/notify.h"

namespace yard::notify {

// "resnet has completed"; one line.
std::string SubjectOf(const Delivery& delivery);

// `link` is the dashboard's address; empty: none is known.
std::string WebhookBody(const Delivery& delivery, std::string_view link);
std::string SlackBody(const Delivery& delivery, std::string_view link);

struct Mail {
  std::string from;
  std::string to;
  Time now;
};
// The whole message, headers first, lines ended by CR LF.
std::string MailText(const Delivery& delivery, std::string_view link, const Mail& mail);

// Text as the value of a mail header, whatever it holds.
std::string HeaderWord(std::string_view text);

}  // namespace yard::notify
