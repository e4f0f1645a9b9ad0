// A report in the making: told of its inputs on a worker, its figures drawn one at a time between the
// window's events, and written, if it has a place, on a worker.
//
// GUI thread only. Deleting it gives it up; a file is written whole or not at all.
#pragma once

#include <QObject>
#include <QString>
#include <filesystem>
#include <memory>
#include <vector>

#include "engine/report/report.h"

namespace warpglass::app {

class ReportFigures;

class ReportJob : public QObject {
    Q_OBJECT
public:
    /// `output` is empty for a preview, whose figures have the program's theme alone.
    ReportJob(std::vector<ReportInput> inputs, ReportOptions options, std::filesystem::path output,
              QObject* parent);
    ~ReportJob() override;

    void start();
    bool isPreview() const { return m_output.empty(); }
    /// As far as it is made; null before made(). It stays as long as someone holds it.
    const std::shared_ptr<ReportDocument>& document() const { return m_document; }

signals:
    /// All of its words are there, and none of its figures.
    void made();
    void progressed(int figures, int of);
    /// Drawn and, if it has a place, written; or why not, in one sentence.
    void ended(const QString& problem);

private:
    struct Given {
        ReportInputs inputs;
        ReportOptions options;
    };
    void takeDocument(const Result<ReportDocument>& document);
    void drawNext();
    void write();

    std::shared_ptr<const Given> m_given;
    std::filesystem::path m_output;
    std::shared_ptr<ReportDocument> m_document;
    std::unique_ptr<ReportFigures> m_drawing;
    std::vector<ReportFigure*> m_figures;
    std::size_t m_drawn = 0;
};

}  // namespace warpglass::app
