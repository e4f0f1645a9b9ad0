// The parser's types (CLI11), for headers that only pass them on.
#pragma once

namespace CLI {
class App;
class Option;
}  // namespace CLI
