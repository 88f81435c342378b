// Variables in the words of a command, as Kubernetes and Run:ai replace them before the start.
//
// "$(NAME)" is the value of a variable of the task, and "$$(NAME)" stays "$(NAME)". "${NAME}" is
// the value, too, up to the first word that is a shell: a shell reads what follows itself. A name
// that the task does not have stays as it is, and so does one whose value is secret: command lines
// are open to everybody on the machine. Pure.
#pragma once

#include <string>
#include <vector>

#include "engine/task.h"

namespace yard::control {

void ExpandWords(std::vector<std::string>& words, const engine::TaskSpec& task);

}  // namespace yard::control
