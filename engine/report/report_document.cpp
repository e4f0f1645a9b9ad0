#include "engine/report/report_document.h"

#include <cctype>
#include <set>

namespace warpglass {
namespace {

/// "gpu-time-in-the-measured-steps", cut to a length that an address has room for.
std::string slug(std::string_view title) {
    constexpr std::size_t kLongest = 40;
    std::string name;
    for (const char c : title) {
        if (name.size() >= kLongest)
            break;
        if (static_cast<unsigned char>(c) < 0x80 && std::isalnum(static_cast<unsigned char>(c)))
            name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        else if (!name.empty() && name.back() != '-')
            name += '-';
    }
    while (name.ends_with('-'))
        name.pop_back();
    return name.empty() ? "part" : name;
}

class Names {
public:
    std::string of(std::string_view title) {
        const std::string wanted = slug(title);
        std::string name = wanted;
        for (int count = 2; !m_taken.insert(name).second; ++count)
            name = wanted + "-" + std::to_string(count);
        return name;
    }

private:
    std::set<std::string> m_taken;
};

void nameSections(std::vector<ReportSection>& sections, const std::string& before, Names& names) {
    for (ReportSection& section : sections) {
        const std::string full = before.empty() ? section.title : before + " " + section.title;
        section.id = names.of(full);
        for (ReportBlock& block : section.blocks) {
            if (auto* table = std::get_if<ReportTableBlock>(&block))
                table->id =
                    names.of("table " + (table->table.key.empty() ? table->table.title : table->table.key));
            else if (auto* figure = std::get_if<ReportFigure>(&block))
                figure->id = names.of("figure " + figure->title);
        }
        nameSections(section.sections, full, names);
    }
}

void leaveOut(std::vector<ReportSection>& sections) {
    for (ReportSection& section : sections) {
        std::erase_if(section.blocks, [](const ReportBlock& block) {
            const auto* figure = std::get_if<ReportFigure>(&block);
            return figure && !figure->drawing.isThere();
        });
        leaveOut(section.sections);
    }
    std::erase_if(sections, [](const ReportSection& section) { return section.isEmpty(); });
}

}  // namespace

void nameAll(ReportDocument& document) {
    Names names;
    nameSections(document.sections, {}, names);
}

void leaveOutUndrawn(ReportDocument& document) {
    leaveOut(document.sections);
}

}  // namespace warpglass
