#include "engine/report/model_tables.h"

#include "engine/tables/layer_columns.h"
#include "engine/tables/report.h"
#include "engine/tables/table_shape.h"

namespace warpglass {
namespace {

/// "Layers, by the GPU's time a step, mean of the measured steps". `table`: of layers or attention's parts.
template <class Table>
std::string titleOf(std::string what, const Table& table, const std::string& where) {
    if (!table.ofRange && table.steps == 0)
        return what + ": no step was completed";
    what += table.gpu ? ", by GPU time" : ", by CPU time";
    if (table.ofRange)
        return what + where;
    return what + (table.measured ? " per step, mean of the measured steps"
                                  : " per step, mean of the warm-up steps");
}

}  // namespace

ReportTable layersReport(const Layers& layers, const std::string& where, bool forPeople) {
    std::string title = titleOf("Layers", layers, where);
    addSentences(title, layers.splits);
    return reportOf(layersTable(), std::move(title), layers.rows, LayersShown(layers), forPeople);
}

ReportTable attentionReport(const AttentionParts& parts, const std::string& where, bool forPeople) {
    return reportOf(attentionTable(), titleOf("Parts of attention", parts, where), parts.rows, parts,
                    forPeople);
}

}  // namespace warpglass
