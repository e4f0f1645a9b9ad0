#include "tests/support/trace_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <stdexcept>

namespace warpglass::test {

namespace {

struct Item {
    int line = 0;
    std::size_t level = 0;
    std::vector<std::string> words;
    std::vector<Item> children;
};

[[noreturn]] void fail(int line, const std::string& cause) {
    throw std::runtime_error("line " + std::to_string(line) + " of the trace's text: " + cause);
}

/// Those that stood in quotes still begin with one.
std::vector<std::string> wordsOf(std::string_view text, int line) {
    std::vector<std::string> words;
    for (std::size_t at = 0;;) {
        at = text.find_first_not_of(' ', at);
        if (at == std::string_view::npos || text[at] == '#')
            return words;
        const bool quoted = text[at] == '"';
        const std::size_t end = quoted ? text.find('"', at + 1) : std::min(text.find(' ', at), text.size());
        if (end == std::string_view::npos)
            fail(line, "a quote has no end");
        words.emplace_back(text.substr(at, end - at));
        at = quoted ? end + 1 : end;
    }
}

/// Each below the last one of a lesser level.
void nest(std::vector<Item>& items, Item item) {
    const bool below = !items.empty() && items.back().level < item.level;
    below ? nest(items.back().children, std::move(item)) : items.push_back(std::move(item));
}

std::vector<Item> itemsOf(std::string_view text) {
    constexpr std::size_t kPerColumn = 1000;  // items of one line that may lie in each other
    std::vector<Item> items;
    for (int line = 1; !text.empty(); ++line) {
        const std::string_view whole = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), whole.size() + 1));
        std::vector<std::string> words = wordsOf(whole, line);
        if (words.empty())
            continue;
        words.emplace_back(";");
        Item item{line, whole.find_first_not_of(' ') * kPerColumn, {}, {}};
        for (std::string& word : words) {
            if (word != "|" && word != ";") {
                item.words.push_back(std::move(word));
                continue;
            }
            if (item.words.empty())
                fail(line, "nothing stands before " + word);
            const std::size_t level = item.level + (word == "|" ? 1 : 0);
            nest(items, std::move(item));
            item = {line, level, {}, {}};
        }
    }
    return items;
}

struct SpanItem {
    std::string_view word;
    TrackKind kind;
    std::string_view name;       // of the span, where it is not stated
    std::string_view attribute;  // that its name is, for what lies in it
};
constexpr SpanItem kSpanItems[] = {
    {"step", TrackKind::kStep, "step", "step"}, {"capture", TrackKind::kStep, "graph capture", ""},
    {"gpu", TrackKind::kGpuPhase, "", "phase"}, {"module", TrackKind::kModule, "", "module"},
    {"part", TrackKind::kModule, "", "part"},   {"op", TrackKind::kCpuThread, "", "op"},
    {"call", TrackKind::kApiThread, "", ""},    {"launch", TrackKind::kApiThread, "cuLaunchKernel", ""},
    {"kernel", TrackKind::kGpuStream, "", ""},  {"copy", TrackKind::kGpuCopies, "", ""},
    {"fill", TrackKind::kGpuCopies, "", ""},    {"wait", TrackKind::kGpuSync, "", ""},
    {"profiler", TrackKind::kProfiler, "", ""}};
/// What holds for what lies in an item too, and what does not.
constexpr std::string_view kPassedOn[] = {"step", "phase",  "module", "part", "op",
                                          "link", "thread", "stream", "gpu"};
constexpr std::string_view kOwn[] = {"on",      "self",      "place",      "node",  "grid",
                                     "block",   "occupancy", "full",       "bytes", "direction",
                                     "address", "requested", "allocation", "types"};

template <class Names>
std::optional<std::size_t> indexOf(const Names& names, std::string_view word) {
    const auto found = std::find(std::begin(names), std::end(names), word);
    return found == std::end(names) ? std::nullopt : std::optional<std::size_t>(found - std::begin(names));
}

struct Span {
    int line = 0;
    std::size_t lane = 0;  // in the order of the text
    TrackId track;
    std::uint32_t depth = 0;
    SpanRow row;
    bool open = false;
};
/// What an item has of those around it.
struct Around {
    std::map<std::string, std::string, std::less<>> values;  // by attribute
    std::vector<std::size_t> spans;                          // outermost first
    std::int64_t shift = 0, repeat = 0;                      // ns; how often it came before
};
struct Time {
    std::int64_t begin = 0;
    std::optional<std::int64_t> end;
    bool open = false;  // "5-"
};
struct MemoryChange {
    std::int64_t time = 0;
    std::size_t allocation = 0;
    bool frees = false;
};

}  // namespace

/// Reads one text into a trace.
class TraceTextReader {
public:
    explicit TraceTextReader(TraceText& trace) : m_trace(trace), m_writer(trace.writer) {}

    void read(std::string_view text) {
        for (const Item& item : itemsOf(text))
            readItem(item, {});
        writeSpans();
        writeMemory();
        m_writer.settle();
        m_writer.commit(Nanoseconds(m_end));
    }

private:
    [[noreturn]] void failHere(const std::string& cause) const { fail(m_item->line, cause); }
    bool atEnd() const { return m_at >= m_item->words.size(); }
    std::string next() {
        if (atEnd())
            failHere("something is missing after " + m_item->words.back());
        const std::string& word = m_item->words[m_at++];
        return word.substr(word.starts_with('"') ? 1 : 0);
    }
    template <class Names>
    std::size_t known(const Names& names, const std::string& word) const {
        if (const auto index = indexOf(names, word))
            return *index;
        failHere("not known: " + word);
    }
    /// In ns or bytes; of no unit, in the given one.
    double number(std::string_view word, std::string_view unitOfNone = "") const {
        static const std::map<std::string_view, double> kUnits = {
            {"", 1},    {"ns", 1},        {"us", 1e3},      {"ms", 1e6},
            {"s", 1e9}, {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}};
        double value = 0;
        const char* const last = word.data() + word.size();
        const auto [end, error] = std::from_chars(word.data(), last, value);
        const auto unit = kUnits.find(end == last ? unitOfNone : std::string_view(end, last));
        if (error != std::errc() || unit == kUnits.end())
            failHere("not a number: " + std::string(word));
        return value * unit->second;
    }
    std::int64_t whole(std::string_view word, std::string_view unitOfNone = "") const {
        return std::llround(number(word, unitOfNone));
    }
    Time nextTime(const Around& around) {
        const std::string word = next();
        const std::size_t dash = word.find('-');
        const std::string last = dash == std::string::npos ? "" : word.substr(dash + 1);
        const std::size_t unit = std::min(last.find_first_not_of("0123456789."), last.size());
        Time time{whole(word.substr(0, dash), last.substr(unit)) + around.shift, {}, false};
        time.open = dash != std::string::npos && last.empty();
        if (!last.empty())
            time.end = whole(last) + around.shift;
        if (time.end && *time.end < time.begin)
            failHere("ends before it begins: " + word);
        return time;
    }
    NameId name(const std::string& text) { return text.empty() ? NameId() : m_writer.internName(text); }

    // Attributes.
    void state(const std::string& attribute, const std::string& value, Around& around) {
        const bool counts = attribute == "step" || attribute == "link";
        around.values[attribute] = counts ? std::to_string(whole(value) + around.repeat) : value;
    }
    void readAttributes(Around& around) {
        while (!atEnd()) {
            const std::string attribute = next();
            if (indexOf(kCategoryNames, attribute))
                around.values["category"] = attribute;
            else if (indexOf(kPassedOn, attribute) || indexOf(kOwn, attribute))
                state(attribute, next(), around);
            else
                failHere("not understood: " + attribute);
        }
    }
    static std::string textOf(const Around& around, std::string_view attribute, const char* otherwise = "") {
        const auto found = around.values.find(attribute);
        return found == around.values.end() ? otherwise : found->second;
    }
    template <class Number>
    Number numberOf(const Around& around, std::string_view attribute, const char* otherwise = "0") const {
        return static_cast<Number>(number(textOf(around, attribute, otherwise)));
    }
    std::array<std::uint32_t, 3> sizesOf(const Around& around, std::string_view attribute) const {
        std::array<std::uint32_t, 3> sizes{};
        std::string rest = textOf(around, attribute);
        for (std::size_t i = 0; i < 3 && !textOf(around, attribute).empty(); ++i) {
            sizes[i] = rest.empty() ? 1 : static_cast<std::uint32_t>(whole(rest.substr(0, rest.find(','))));
            rest.erase(0, std::min(rest.find(','), rest.size() - 1) + 1);
        }
        return sizes;
    }
    PlaceId placeOf(const Around& around) {
        const Place place{static_cast<Phase>(known(kPhaseNames, textOf(around, "phase", "none"))),
                          name(textOf(around, "module")), name(textOf(around, "part"))};
        return place == Place() ? PlaceId() : m_writer.internPlace(place);
    }

    void readItem(const Item& item, Around around) {
        m_item = &item;
        m_at = 0;
        for (const std::string_view own : kOwn)
            around.values.erase(std::string(own));
        const std::string word = next();
        if (word == "repeat")
            return repeat(item, around);
        if (word == "alloc" || word == "segment")
            readMemory(word, around);
        else if (word == "in")
            readAttributes(around);
        else if (!readStatement(word, around))
            readSpan(word, around);
        if (!atEnd())
            failHere("not understood: " + item.words[m_at]);
        for (const Item& child : item.children)
            readItem(child, around);
    }
    void repeat(const Item& item, Around around) {
        const std::int64_t times = whole(next());
        if (next() != "every")
            failHere("repeat N every TIME");
        const std::int64_t every = whole(next());
        for (std::int64_t i = 0; i < times; ++i, around.shift += every, ++around.repeat) {
            for (const Item& child : item.children)
                readItem(child, around);
        }
    }
    /// What nothing lies in.
    bool readStatement(const std::string& word, const Around& around) {
        if (word == "info") {
            while (!atEnd()) {
                const std::string key = next();
                m_writer.setInfo(key, next());
            }
        } else if (word == "track") {
            const auto kind = static_cast<TrackKind>(known(kTrackKindNames, next()));
            m_trace.track(kind, next());
        } else if (word == "counter") {
            const NameId counter = name(next());
            const double value = number(next());
            m_writer.appendCounter(Nanoseconds(nextTime(around).begin), counter, value);
        } else if (word == "lost") {
            const std::string what = next();
            m_writer.countLoss(what, static_cast<std::uint64_t>(whole(next())));
        } else if (word == "end") {
            m_end = nextTime(around).begin;
        } else {
            return false;
        }
        return true;
    }

    void readSpan(const std::string& word, Around& around) {
        const bool isPhase = indexOf(kPhaseNames, word).has_value();
        const auto item = std::find_if(std::begin(kSpanItems), std::end(kSpanItems),
                                       [&](const SpanItem& known) { return known.word == word; });
        if (!isPhase && item == std::end(kSpanItems))
            failHere("no such item: " + word);
        const TrackKind kind = isPhase ? TrackKind::kPhase : item->kind;
        std::string text = isPhase ? word : std::string(item->name);
        if (isPhase) {
            around.values["phase"] = word;
        } else if (text.empty() || word == "step") {
            text = next();
            if (!item->attribute.empty())
                state(std::string(item->attribute), text, around);
            if (word == "step")
                text = "step " + textOf(around, "step");
        }
        Span span{m_item->line, 0, {}, 0, {}, false};
        const Time time = nextTime(around);
        span.open = time.open;
        if (!time.end && !time.open)
            failHere("a span needs an end");
        readAttributes(around);
        if (kind == TrackKind::kApiThread && textOf(around, "link").empty())
            around.values["link"] = std::to_string(++m_trace.m_lastLink);
        span.row = {.start = time.begin,
                    .duration = time.end.value_or(time.begin) - time.begin,
                    .self = 0,
                    .name = name(text),
                    .place = textOf(around, "place") == "none" ? PlaceId() : placeOf(around),
                    .step = numberOf<std::int32_t>(around, "step", "-1"),
                    .link = numberOf<std::uint64_t>(around, "link"),
                    .detail = isGpuTrack(kind) ? detailOf(word, around) : typesOf(around)};
        span.row.self = numberOf<std::int64_t>(around, "self", std::to_string(span.row.duration).c_str());
        span.track = m_trace.track(kind, trackName(kind, around));
        addBelowItsParent(std::move(span), around);
    }
    DetailId typesOf(const Around& around) {
        SpanDetail types{.kind = DetailKind::kOp};
        types.fullName = name(textOf(around, "types"));
        return types.fullName.valid() ? m_writer.internDetail(types) : DetailId();
    }
    DetailId detailOf(const std::string& word, const Around& around) {
        SpanDetail detail{.kind = word == "copy"   ? DetailKind::kCopy
                                  : word == "fill" ? DetailKind::kFill
                                                   : DetailKind::kKernel,
                          .copy = static_cast<CopyKind>(known(kCopyKindNames, textOf(around, "direction"))),
                          .fullName = name(textOf(around, "full")),
                          .op = name(textOf(around, "op")),
                          .grid = sizesOf(around, "grid"),
                          .block = sizesOf(around, "block"),
                          .bytes = numberOf<std::int64_t>(around, "bytes"),
                          .graphNode = numberOf<std::uint64_t>(around, "node"),
                          .occupancy = numberOf<float>(around, "occupancy")};
        return detail == SpanDetail() ? DetailId() : m_writer.internDetail(detail);
    }
    static std::string trackName(TrackKind kind, const Around& around) {
        const std::string thread = textOf(around, "thread", "main"),
                          gpu = "GPU " + textOf(around, "gpu", "0"),
                          stream = " · stream " + textOf(around, "stream", "7");
        const std::string names[] = {"steps",
                                     "phases",
                                     "modules",
                                     thread,
                                     "CUDA calls · " + thread,
                                     gpu + stream,
                                     gpu + " copies" + stream,
                                     "phases on the GPU",
                                     "Waits · CUPTI",
                                     "CUPTI and driver"};
        return textOf(around, "on", names[static_cast<std::size_t>(kind)].c_str());
    }
    void addBelowItsParent(Span span, Around& around) {
        const auto parent = std::find_if(around.spans.rbegin(), around.spans.rend(),
                                         [&](std::size_t i) { return m_spans[i].track == span.track; });
        if (parent != around.spans.rend()) {
            Span& outer = m_spans[*parent];
            if (span.row.start < outer.row.start || (!outer.open && span.row.end() > outer.row.end()))
                fail(span.line, "it does not lie within the one around it on its track");
            span.depth = outer.depth + 1;
            outer.row.self -= span.row.duration;
        }
        span.lane = m_lanes.try_emplace({span.track, span.depth}, m_lanes.size()).first->second;
        around.spans.push_back(m_spans.size());
        m_spans.push_back(std::move(span));
    }
    void writeSpans() {
        std::ranges::stable_sort(m_spans, [](const Span& a, const Span& b) {
            return std::pair(a.lane, a.row.start) < std::pair(b.lane, b.row.start);
        });
        for (const auto& [line, lane, track, depth, row, open] : m_spans) {
            if (open)
                m_writer.beginSpan(track, Nanoseconds(row.start), row.name, row.place, row.step, row.link);
            else if (!m_writer.appendSpan(track, depth, row))
                fail(line, "it overlaps the one before it on its track");
        }
    }

    void readMemory(const std::string& word, Around around) {
        const auto action = word == "segment" ? static_cast<SegmentAction>(known(kSegmentActionNames, next()))
                                              : SegmentAction();
        const std::int64_t bytes = whole(next());
        const Time time = nextTime(around);
        around.values.erase("stream");
        readAttributes(around);
        const auto address = static_cast<std::uint64_t>(whole(textOf(around, "address", "0")));
        const auto step = numberOf<std::int32_t>(around, "step", "-1");
        const NameId op = name(textOf(around, "op"));
        if (word == "segment") {
            const std::string allocation = textOf(around, "allocation");
            m_segments.push_back({time.begin, action, address, bytes,
                                  numberOf<std::uint32_t>(around, "stream"), 0, placeOf(around), step, op,
                                  allocation.empty() ? AllocationId() : AllocationId(whole(allocation))});
            return;
        }
        m_changes.push_back({time.begin, m_allocations.size(), false});
        if (time.end)
            m_changes.push_back({*time.end, m_allocations.size(), true});
        m_allocations.push_back(
            {address, numberOf<std::int64_t>(around, "requested", std::to_string(bytes).c_str()), bytes,
             placeOf(around), step, op,
             static_cast<Category>(known(kCategoryNames, textOf(around, "category", "unknown")))});
    }
    void writeMemory() {
        const auto byTime = [](const auto& a, const auto& b) { return a.time < b.time; };
        std::ranges::stable_sort(m_changes, byTime);
        std::ranges::stable_sort(m_segments, byTime);
        std::map<std::size_t, AllocationId> ids;
        for (const auto& [time, allocation, frees] : m_changes) {
            if (frees)
                m_writer.appendFree(Nanoseconds(time), ids.at(allocation));
            else
                ids[allocation] = m_writer.appendAllocation(Nanoseconds(time), m_allocations[allocation]);
        }
        for (const SegmentEvent& event : m_segments)
            m_writer.appendSegmentEvent(event);
    }

    TraceText& m_trace;
    TraceWriter& m_writer;
    const Item* m_item = nullptr;
    std::size_t m_at = 0;  // the item's next word
    std::vector<Span> m_spans;
    std::map<std::pair<TrackId, std::uint32_t>, std::size_t> m_lanes;
    std::vector<AllocationRow> m_allocations;
    std::vector<MemoryChange> m_changes;
    std::vector<SegmentEvent> m_segments;
    std::int64_t m_end = 0;
};

TraceText::TraceText(std::string_view text, const InfoPairs& info) {
    for (const auto& [key, value] : info)
        writer.setInfo(key, value);
    add(text);
}

std::shared_ptr<const Snapshot> TraceText::add(std::string_view text) {
    TraceTextReader(*this).read(text);
    return snapshot();
}

TrackId TraceText::track(TrackKind kind, std::string_view name) {
    const auto [found, added] = m_tracks.try_emplace({kind, std::string(name)});
    if (added)
        found->second = writer.addTrack(kind, name);
    return found->second;
}

std::shared_ptr<const Snapshot> traceOf(std::string_view text, const InfoPairs& info) {
    return TraceText(text, info).snapshot();
}

}  // namespace warpglass::test
