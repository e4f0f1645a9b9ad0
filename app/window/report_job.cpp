#include "app/window/report_job.h"

#include <QFutureWatcher>
#include <QRectF>
#include <QTimer>
#include <QtConcurrent/QtConcurrentRun>

#include "app/window/report_figures.h"
#include "engine/report/report_file.h"
#include "ui/models/worker_pool.h"
#include "ui/report/report_pages.h"
#include "ui/theme/theme.h"

namespace warpglass::app {
namespace {

ReportFigures::Themes themesOf(bool preview, bool pages) {
    if (pages)
        return ReportFigures::Themes::kLight;
    if (!preview)
        return ReportFigures::Themes::kBoth;
    return ui::Theme::instance().kind() == ui::ThemeKind::kDark ? ReportFigures::Themes::kDark
                                                                : ReportFigures::Themes::kLight;
}

bool isPages(const std::filesystem::path& output) {
    const auto format = reportFormatOf(output);
    return format && *format == ReportFormat::kPdf;
}

}  // namespace

ReportJob::ReportJob(std::vector<ReportInput> inputs, ReportOptions options, std::filesystem::path output,
                     QObject* parent)
    : QObject(parent), m_output(std::move(output)) {
    auto given = std::make_shared<Given>();
    given->inputs.inputs = std::move(inputs);
    nameApart(given->inputs.inputs);
    given->options = std::move(options);
    m_given = std::move(given);
}

ReportJob::~ReportJob() = default;

void ReportJob::start() {
    using Made = std::shared_ptr<Result<ReportDocument>>;
    auto* watcher = new QFutureWatcher<Made>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher] {
        watcher->deleteLater();
        takeDocument(*watcher->result());
    });
    watcher->setFuture(QtConcurrent::run(&ui::workerPool(), [given = m_given] {
        return std::make_shared<Result<ReportDocument>>(makeReport(given->inputs, given->options));
    }));
}

void ReportJob::takeDocument(const Result<ReportDocument>& document) {
    if (!document) {
        emit ended(QString::fromStdString(document.message()));
        return;
    }
    m_document = std::make_shared<ReportDocument>(*document);
    m_figures = figuresOf(*m_document);
    m_drawing =
        std::make_unique<ReportFigures>(m_given->inputs.inputs, themesOf(isPreview(), isPages(m_output)));
    emit made();
    drawNext();
}

void ReportJob::drawNext() {
    if (m_drawn == m_figures.size())
        return write();
    emit progressed(static_cast<int>(m_drawn), static_cast<int>(m_figures.size()));
    // Between two of them the window answers.
    QTimer::singleShot(0, this, [this] {
        m_drawing->draw(*m_figures[m_drawn]);
        ++m_drawn;
        drawNext();
    });
}

void ReportJob::write() {
    if (isPreview()) {
        emit ended({});
        return;
    }
    leaveOutUndrawn(*m_document);
    m_figures.clear();  // they point into what was moved
    if (isPages(m_output)) {
        const Status written =
            ui::writeReportPages(*m_document, m_output,
                                 [this](const ReportFigure& figure, QPainter& painter, const QRectF& place) {
                                     m_drawing->paint(figure, painter, place);
                                 });
        emit ended(written ? QString() : QString::fromStdString(written.message()));
        return;
    }
    auto* watcher = new QFutureWatcher<QString>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher] {
        watcher->deleteLater();
        emit ended(watcher->result());
    });
    watcher->setFuture(QtConcurrent::run(&ui::workerPool(), [document = m_document, output = m_output] {
        const Status written = writeReport(*document, output);
        return written ? QString() : QString::fromStdString(written.message());
    }));
}

}  // namespace warpglass::app
