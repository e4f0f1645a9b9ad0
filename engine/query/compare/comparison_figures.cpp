#include "engine/query/compare/comparison_figures.h"

#include <algorithm>

#include "engine/query/spans/module_group.h"

namespace warpglass {

void addByName(const Snapshot& snapshot, const std::vector<std::int64_t>& byName, double divisor,
               std::string_view none, ComparedFigures& figures) {
    for (std::size_t i = 0; i < byName.size(); ++i) {
        if (byName[i] == 0)
            continue;
        const std::string_view name = snapshot.name(NameId(i));
        figures[std::string(name.empty() ? none : name)] += static_cast<double>(byName[i]) / divisor;
    }
}

void addByModule(const Snapshot& snapshot, const std::vector<std::int64_t>& byPlace, double divisor,
                 ComparedFigures& figures) {
    std::vector<std::int64_t> byModule(snapshot.nameCount() + 1);
    for (std::size_t i = 0; i < byPlace.size(); ++i) {
        addWrapping(byModule[std::min(snapshot.place(PlaceId(i)).module.index(), byModule.size() - 1)],
                    byPlace[i]);
    }
    for (std::size_t i = 0; i < byModule.size(); ++i) {
        if (byModule[i] == 0)
            continue;
        addToModules(snapshot.name(NameId(i)), static_cast<double>(byModule[i]) / divisor, figures);
    }
}

void addToModules(std::string_view path, double figure, ComparedFigures& figures) {
    if (path.empty())
        figures[std::string(kOutsideModel)] += figure;
    for (const std::string_view module : modulesAround(path))
        figures[std::string(module)] += figure;
}

}  // namespace warpglass
