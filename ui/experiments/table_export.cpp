#include "ui/experiments/table_export.h"

#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QSaveFile>
#include <algorithm>
#include <utility>

#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

struct TextFormat {
    TableFormat format;
    const char* title;
    const char* ending;
};
constexpr TextFormat kTextFormats[] = {{TableFormat::kCsv, "CSV", "csv"},
                                       {TableFormat::kMarkdown, "Markdown", "md"},
                                       {TableFormat::kLatex, "LaTeX", "tex"}};

/// A name of ours in a file that may not be.
QString safeFileName(const std::string& key) {
    QString name;
    for (const QChar c : toQString(key))
        name += c.isLetterOrNumber() || c == QLatin1Char('-') ? c : QLatin1Char('_');
    constexpr int kLongest = 100;
    return name.left(kLongest);
}

}  // namespace

TableExport::TableExport(QString folder, std::function<ReportTable()> table, QWidget* parent)
    : QWidget(parent),
      m_folder(std::move(folder)),
      m_table(std::move(table)),
      m_copy(named(new QPushButton(tr("Copy"), this), "experimentCopy")),
      m_save(named(new QPushButton(tr("Save…"), this), "experimentSave")) {
    auto* menu = new QMenu(m_copy);
    for (const TextFormat& format : kTextFormats)
        menu->addAction(tr("As %1").arg(QString::fromLatin1(format.title)), this,
                        [this, &format] { copyAs(static_cast<int>(&format - kTextFormats)); });
    m_copy->setMenu(menu);
    auto* row = spaced(new QHBoxLayout(this), {}, Metrics::kSpace2);
    for (QPushButton* button : {m_copy, m_save}) {
        button->setFixedHeight(Metrics::kControlHeight);
        row->addWidget(button);
    }
    connect(m_save, &QPushButton::clicked, this, &TableExport::save);
}

void TableExport::setWhat(const QString& what) {
    m_copy->setToolTip(what);
    m_save->setToolTip(what + tr(" as a file: CSV, Markdown or LaTeX"));
}

void TableExport::copyAs(int format) {
    const TextFormat& as = kTextFormats[format];
    const ReportTable table = m_table();
    QGuiApplication::clipboard()->setText(toQString(renderTable(table, as.format)));
    emit said(
        tr("“%1” is on the clipboard as %2.").arg(toQString(table.title), QString::fromLatin1(as.title)));
}

void TableExport::save() {
    const ReportTable table = m_table();
    QStringList filters;
    for (const TextFormat& format : kTextFormats)
        filters << QStringLiteral("%1 (*.%2)")
                       .arg(QString::fromLatin1(format.title), QString::fromLatin1(format.ending));
    QFileDialog dialog(this, tr("Save Table"), m_folder);
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setNameFilters(filters);
    dialog.setDefaultSuffix(QString::fromLatin1(kTextFormats[0].ending));
    connect(&dialog, &QFileDialog::filterSelected, &dialog, [&](const QString& filter) {
        const auto at = static_cast<std::size_t>(std::max<qsizetype>(0, filters.indexOf(filter)));
        dialog.setDefaultSuffix(QString::fromLatin1(kTextFormats[at].ending));
    });
    dialog.selectFile(safeFileName(table.key.empty() ? table.title : table.key));
    if (dialog.exec() == QDialog::Accepted)
        saveAs(dialog.selectedFiles().value(0));
}

void TableExport::saveAs(const QString& path) {
    const auto format =
        std::find_if(std::begin(kTextFormats), std::end(kTextFormats), [&](const TextFormat& one) {
            return path.endsWith(QLatin1Char('.') + QString::fromLatin1(one.ending), Qt::CaseInsensitive);
        });
    if (format == std::end(kTextFormats))
        return emit failed(tr("%1 names no format: end it with .csv, .md or .tex.").arg(path));
    const std::string text = renderTable(m_table(), format->format);
    QSaveFile file(path);
    const auto size = static_cast<qint64>(text.size());
    if (!file.open(QIODevice::WriteOnly) || file.write(text.data(), size) != size || !file.commit())
        return emit failed(tr("Cannot write %1: %2.").arg(path, file.errorString()));
    emit said(tr("Saved %1.").arg(path));
}

}  // namespace warpglass::ui
