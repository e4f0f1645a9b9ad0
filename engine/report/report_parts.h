// The parts of a report that are ticked or named: what every input of it is told in.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace warpglass {

/// In their order in the report.
enum class ReportPart : std::uint8_t { kConfiguration, kAnswers, kTables, kFigures, kComparison, kCommands };
inline constexpr std::size_t kReportPartCount = 6;
/// As the command line takes them.
inline constexpr std::array<std::string_view, kReportPartCount> kReportPartNames = {
    "configuration", "answers", "tables", "figures", "comparison", "commands"};
/// As people read them, over the sections.
inline constexpr std::array<std::string_view, kReportPartCount> kReportPartTitles = {
    "Configuration and environment", "Answers", "Tables", "Figures", "Comparison", "How to repeat it"};

class ReportParts {
public:
    static ReportParts all() {
        ReportParts parts;
        parts.m_parts.set();
        return parts;
    }
    bool has(ReportPart part) const { return m_parts[static_cast<std::size_t>(part)]; }
    void set(ReportPart part, bool on = true) { m_parts[static_cast<std::size_t>(part)] = on; }
    bool none() const { return m_parts.none(); }
    bool operator==(const ReportParts&) const = default;

private:
    std::bitset<kReportPartCount> m_parts;
};

}  // namespace warpglass
