#include "engine/slurm/data_scripts.h"

#include <utility>
#include <vector>

#include <fmt/format.h>

namespace yard::engine::slurm {
namespace {

constexpr Micros kTransferMost = Minutes(10);

// Jobs of other accounts go through these folders but cannot list them: a version's name is known
// to those who use it.
constexpr std::string_view kLook = R"sh(umask 077
cd "$1" && mkdir -p "data/$2" || exit 75
[ "$(id -u)" != 0 ] || chmod 711 data "data/$2" || exit 75
cd "data/$2" && touch -c "$3" && ls -t
)sh";

constexpr std::string_view kBegin = R"sh(umask 022
drop() { [ ! -e "$1" ] || { find "$1" -type d -exec chmod u+rwx {} + && rm -rf "$1"; }; }
cd "$1/data/$2" && drop "$3.part" || exit 75
if [ -z "$4" ]; then mkdir "$3.part"; exit; fi
cp -al "$4" "$3.part" 2>/dev/null || { drop "$3.part" && cp -a "$4" "$3.part"; } || exit 75
find "$3.part" -type d -exec chmod u+rwx {} + && cd "$3.part" && xargs -0 -r rm -rf --
)sh";

constexpr std::string_view kFolders = R"sh(umask 022
cd "$1/data/$2/$3.part" && xargs -0 -r mkdir -p --
)sh";

constexpr std::string_view kTake = R"sh(cd "$1/data/$2/$3.part" || exit 75
tar --extract --file=- --unlink-first --same-permissions --no-same-owner
)sh";

// The file may be another version's too: it is made anew.
constexpr std::string_view kPiece = R"sh(umask 022
cd "$1/data/$2/$3.part" || exit 75
[ "$5" != 0 ] || rm -f -- "$4" || exit 75
[ "$5" = 0 ] || [ "$(stat -c %s -- "$4")" = "$5" ] || exit 75
cat >>"$4"
)sh";

constexpr std::string_view kMark = R"sh(cd "$1/data/$2/$3.part" || exit 75
touch -d "@$6" -- "$4" && chmod "$5" -- "$4"
)sh";

constexpr std::string_view kFinish = R"sh(cd "$1/data/$2" || exit 75
find "$3.part" -type d -exec chmod 555 {} + && mv -T "$3.part" "$3" && touch "$3" || exit 75
find . -mindepth 1 -maxdepth 1 -type d -mtime +7 | while IFS= read -r old; do
  version=${old#./}
  grep -rqsF --include=spec "data/$2/${version%.part}" ../../tasks && continue
  find "$old" -type d -exec chmod u+rwx {} +
  rm -rf "$old"
done
:
)sh";

constexpr std::string_view kGiveUp = R"sh(cd "$1/data/$2" && [ -e "$3.part" ] || exit 0
find "$3.part" -type d -exec chmod u+rwx {} +
rm -rf "$3.part"
)sh";

Command Shell(std::string_view script, const DataPlace& place, std::vector<std::string> more = {}) {
  Command command{.argv = {"sh", "-c", std::string(script), "gpuyard", place.root, place.project,
                           place.version},
                  .limit = kTransferMost};
  for (std::string& word : more) command.argv.push_back(std::move(word));
  return command;
}

Command WithInput(Command command, std::string input) {
  command.input = std::move(input);
  return command;
}

}  // namespace

std::string PathList(std::span<const std::string> paths) {
  std::string list;
  for (const std::string& path : paths) {
    list += "./" + path;
    list += '\0';
  }
  return list;
}

Command DataLookScript(const DataPlace& place) {
  return Shell(kLook, place);
}

Command DataBeginScript(const DataPlace& place, const std::string& base,
                        std::span<const std::string> removed) {
  return WithInput(Shell(kBegin, place, {base}), PathList(removed));
}

Command DataFoldersScript(const DataPlace& place, std::span<const std::string> folders) {
  return WithInput(Shell(kFolders, place), PathList(folders));
}

Command DataTakeScript(const DataPlace& place, std::string archive) {
  return WithInput(Shell(kTake, place), std::move(archive));
}

Command DataPieceScript(const DataPlace& place, DataPiece piece) {
  return WithInput(Shell(kPiece, place, {"./" + piece.path, std::to_string(piece.offset)}),
                   std::move(piece.bytes));
}

Command DataMarkScript(const DataPlace& place, const DataMarks& marks) {
  return Shell(kMark, place,
               {"./" + marks.path, fmt::format("{:o}", marks.mode), std::to_string(marks.mtime)});
}

Command DataFinishScript(const DataPlace& place) {
  return Shell(kFinish, place);
}

Command DataGiveUpScript(const DataPlace& place) {
  return Shell(kGiveUp, place);
}

}  // namespace yard::engine::slurm
