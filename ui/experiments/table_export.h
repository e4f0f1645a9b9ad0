// Two buttons that copy a table, or save it as a file: CSV, Markdown or LaTeX.
#pragma once

#include <QString>
#include <QWidget>
#include <functional>

#include "engine/tables/report_table.h"

class QPushButton;

namespace warpglass::ui {

class TableExport : public QWidget {
    Q_OBJECT
public:
    /// `folder`: where files are saved first. `table` gives what is exported when it is.
    TableExport(QString folder, std::function<ReportTable()> table, QWidget* parent = nullptr);

    /// What it is of, for the tool tips.
    void setWhat(const QString& what);
    /// The path's ending says how: .csv, .md or .tex.
    void saveAs(const QString& path);

signals:
    void said(const QString& sentence);
    void failed(const QString& sentence);

private:
    void copyAs(int format);
    void save();

    QString m_folder;
    std::function<ReportTable()> m_table;
    QPushButton* m_copy;
    QPushButton* m_save;
};

}  // namespace warpglass::ui
