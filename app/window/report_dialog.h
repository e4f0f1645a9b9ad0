// File › Export Report: its content is ticked, it is previewed, and saved as HTML, Markdown or PDF.
#pragma once

#include <QDialog>
#include <QList>
#include <QPointer>
#include <QString>
#include <QTextDocument>
#include <QTimer>
#include <array>
#include <memory>
#include <vector>

#include "app/window/window_fwd.h"
#include "engine/report/report_input.h"
#include "engine/report/report_parts.h"

namespace warpglass::app {

/// What can go into a report, as the window calls it.
struct ReportChoice {
    QString title;
    ReportInput input;
    /// Ticked at first.
    bool isChosen = false;
};

class ReportDialog : public QDialog {
    Q_OBJECT
public:
    /// `choices` is not empty.
    ReportDialog(std::vector<ReportChoice> choices, QWidget* parent);
    ~ReportDialog() override;

    /// Writes what is ticked; saved() follows. One at a time: nothing happens while one is being written.
    void save(const QString& path);
    bool isSaving() const;

signals:
    void saved(bool ok);
    /// The preview shows what is ticked, with its figures.
    void previewed();

private:
    QWidget* buildForm();
    void buildTicks(QVBoxLayout& into);
    QString suffix() const;
    ReportOptions options() const;
    std::vector<ReportInput> chosen() const;
    /// Why nothing can be made of what is ticked; empty where something can.
    QString problem() const;
    void onEdited();
    void onTitleEdited();
    void showTitle();
    void startPreview();
    void showPreview();
    void showDocument(std::shared_ptr<ReportDocument> shown);
    void endSaving(const QString& path, const QString& problem);
    void askAndSave();
    void say(const QString& sentence, bool isProblem);

    std::vector<ReportChoice> m_choices;
    QList<QCheckBox*> m_inputs;
    std::array<QCheckBox*, kReportPartCount> m_parts{};
    QLineEdit* m_title = nullptr;
    ui::SegmentedControl* m_format = nullptr;
    QTextBrowser* m_preview = nullptr;
    QLabel* m_message = nullptr;
    QProgressBar* m_progress = nullptr;
    QPushButton* m_save = nullptr;
    QPushButton* m_cancel = nullptr;
    QTimer m_previewTimer, m_titleTimer;
    bool m_isCurrent = false;  // what is shown is of what is ticked, but for its title
    QPointer<ReportJob> m_previewing, m_saving;
    /// What the preview shows, which its text points into.
    std::shared_ptr<ReportDocument> m_shown;
    std::unique_ptr<QTextDocument> m_text;
};

}  // namespace warpglass::app
