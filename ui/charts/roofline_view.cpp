#include "ui/charts/roofline_view.h"

#include <QHeaderView>
#include <QVBoxLayout>

#include "engine/query/model/model_sentences.h"
#include "engine/query/model/plan_of_run.h"
#include "ui/controls/data_table.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

RooflineData dataOf(const Snapshot& snapshot, const WorkScope& scope) {
    RooflineData data;
    data.points = roofline(snapshot, scope);
    if (const WorkTimes work = workTimes(snapshot, scope); work.gpu && work.steps > 0) {
        for (const WorkRow& row : work.rows)
            data.kernelTime += row.copy ? 0 : static_cast<double>(row.time) / static_cast<double>(work.steps);
    }
    data.measured = ceilingsFromPairs(snapshot.info().pairs());
    const auto config = configOfRun(snapshot);
    // The roof that points are held against (engine/query/model/roofline.h), also where this run raised it.
    if (data.measured) {
        const RunCeilings reached = ceilingsOf(snapshot);
        data.raised = toQString(reached.sentence());
        data.raisedHere = reached.beaten.has_value();
        for (DeviceCeilings::Product& product : data.measured->products) {
            if (config && product.precision == config->precision)
                product.flopsPerSecond = reached.measured.flopsPerSecond.value_or(product.flopsPerSecond);
        }
        data.measured->copyBytesPerSecond =
            reached.measured.bytesPerSecond.value_or(data.measured->copyBytesPerSecond);
    }
    if (const DataSheet* sheet = dataSheetOf(snapshot.info().get("device.name")))
        data.sheet = *sheet;
    if (config)
        data.precision = config->precision;
    return data;
}

/// "blocks.*.attn/scores" as the module of the first block.
QString moduleOf(const std::string& name) {
    return toQString(name).section(QLatin1Char('/'), 0, 0).replace(QLatin1Char('*'), QLatin1Char('0'));
}

}  // namespace

RooflineView::RooflineView(RunDocument& document, TimeAxis& axis, RunFilter& filter, QWidget* parent)
    : TableChart(document, axis, filter, parent), m_chart(new RooflineChart(this)) {
    setNames(&table(), "rooflineTable", tr("GEMMs and other kernels"));
    bar().setContentsMargins(Metrics::kBarMargins);
    arrange(m_chart, &table(), {580, 320}, {2, 1});  // in a low window the chart keeps the larger part

    table().setTable(&m_model, m_model.column("time_ns"), Qt::DescendingOrder);
    table().horizontalHeader()->setStretchLastSection(false);
    link(*m_chart);
    using Kind = RecordKind;
    setDrawn({Kind::kKernels, Kind::kOps, Kind::kSteps, Kind::kPlaces});
    start();
}

DeferredQuery::Job RooflineView::makeJob() {
    const auto snapshot = document().snapshot();
    if (!snapshot)
        return {[this] { return [this] { present({}, {}); }; }};
    const Scope scope = this->scope();
    return {[this, snapshot, scope] {
                auto data = std::make_shared<RooflineData>(dataOf(*snapshot, scope.work));
                return [this, data, scope] { present(std::move(*data), scope); };
            },
            snapshot->spanCount() > DeferredQuery::kHeavySpans};
}

void RooflineView::clear() {
    m_chart->setEmptyText({});
    table().setEmptyText({});
    m_model.clear();
    m_chart->setData({});
}

QString RooflineView::stepsWords(const Scope& scope) const {
    const auto& snapshot = document().snapshot();
    return scope.work.allSteps                       ? tr("mean of all steps")
           : snapshot && hasMeasuredSteps(*snapshot) ? tr("mean of the measured steps")
                                                     : tr("mean of the warm-up steps");
}

QString RooflineView::whyEmpty(const Scope& scope) const {
    const auto& snapshot = document().snapshot();
    if (!snapshot)
        return document().noRunWords(tr("to see its roofline"));
    if (lacksKernels(*snapshot))
        return tr("This run has no GPU times: no kernel was recorded, or their records are lost");
    return emptyWords(scope, tr("No GEMM of a complete step was recorded"));
}

void RooflineView::present(RooflineData data, const Scope& scope) {
    m_chart->setEmptyText(data.points.empty() ? whyEmpty(scope) : QString());
    table().setEmptyText(m_chart->emptyText());
    QString text;
    if (!data.points.empty()) {
        text =
            document().snapshot() ? toQString(document().snapshot()->info().get("device.name")) : QString();
        if (text.isEmpty())
            text = tr("CPU");
        text +=
            QStringLiteral(" · ") + toQString(precisionName(data.precision)) + QStringLiteral(" · ") +
            (data.measured ? tr("roofs measured %1").arg(toQString(data.measured->measured).left(10))
             : data.sheet
                 ? tr("roofs from the data sheet; measure this device with warpglass-cli devices --measure")
                 : tr("no roofs: measure them with warpglass-cli devices --measure"));
    }
    QStringList notes;
    if (!data.points.empty()) {
        text += QStringLiteral(" · ") + (scope.words.isEmpty() ? stepsWords(scope) : scope.words);
        if (!isOfWholeSteps(*document().snapshot(), scope.work))
            notes << tr(
                "A GEMM of which the filter includes only some kernels has no point: their share of its "
                "FLOPs is unknown");
    }
    if (!data.raised.isEmpty()) {
        text += QStringLiteral(" · ") + tr("the roof is this run's best GEMM");
        notes << data.raised;
    }
    if (data.sheet)
        notes << toQString(data.sheet->source);
    setSummary(text, scope, notes.join(QLatin1Char('\n')));
    setFinding(rooflineSentence(data.points, data.kernelTime));
    m_model.show(data.points, {data.ridge()});
    m_chart->setData(std::move(data));
}

void RooflineView::goTo(int row, bool show) {
    if (row < 0 || row >= m_model.rowCount())
        return selectSpan(std::nullopt, false);
    const RooflinePoint& point = m_model.rowAt(row);
    if (point.isLibraryKernel)
        return selectSpan(point.longest, show);  // many do something else under its name
    if (!point.kernel.empty())
        return selectLongestKernel(toQString(point.kernel), tracePhase(point.phase), show);
    selectLongestModule(moduleOf(point.name), tracePhase(point.phase), show);
}

}  // namespace warpglass::ui
