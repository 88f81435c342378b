// One record's payload to an event. Pure.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "track/event.h"

namespace yard::track {

using PluginOfTag = std::map<std::string, std::string, std::less<>>;

// Nothing if the bytes are no event. Remembers which plugin a tag belongs to.
std::optional<Event> DecodeEvent(std::string_view payload, PluginOfTag& plugins);

// Of the plugin "hparams"; nothing for what is not a session's start or end.
std::optional<EventData> DecodeHparams(std::string_view content);

}  // namespace yard::track
