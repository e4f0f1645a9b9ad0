#include "app/window/stop_question.h"

#include <QMessageBox>
#include <QPushButton>
#include <QStringList>
#include <algorithm>

namespace warpglass::app {

namespace {

using Kind = RunningWork::Kind;

QString nameOf(const RunningWork& work) {
    switch (work.kind) {
        case Kind::kRun:
            return QMessageBox::tr("the recording %1").arg(work.title);
        case Kind::kSweep:
            return QMessageBox::tr("the sweep %1").arg(work.title);
        case Kind::kExperiment:
            break;
    }
    return QMessageBox::tr("the experiment “%1”").arg(work.title);
}

/// "The sweep a and the recording b are going on."
QString whatGoesOn(const std::vector<RunningWork>& work) {
    QStringList names;
    for (const RunningWork& one : work)
        names << nameOf(one);
    QString listed = names.takeLast();
    if (!names.isEmpty())
        listed = QMessageBox::tr("%1 and %2").arg(names.join(QStringLiteral(", ")), listed);
    listed[0] = listed[0].toUpper();
    return (work.size() == 1 ? QMessageBox::tr("%1 is still going on.")
                             : QMessageBox::tr("%1 are still going on."))
        .arg(listed);
}

/// What a stop leaves.
QString whatIsKept(const std::vector<RunningWork>& work) {
    const auto any = [&](Kind kind) {
        return std::ranges::any_of(work, [kind](const RunningWork& one) { return one.kind == kind; });
    };
    QStringList sentences;
    if (any(Kind::kRun))
        sentences << QMessageBox::tr("What was recorded until then is kept.");
    if (any(Kind::kSweep))
        sentences << QMessageBox::tr("The finished cells of a sweep are kept, and it can be resumed.");
    if (any(Kind::kExperiment))
        sentences << QMessageBox::tr("The finished runs of an experiment are kept, and it can be resumed.");
    return sentences.join(QLatin1Char(' '));
}

}  // namespace

QDialog* askToStop(QWidget* parent, const std::vector<RunningWork>& work, StopFor why,
                   const std::function<void()>& stop) {
    const bool quits = why == StopFor::kQuit;
    const bool onlyRecords = work.size() == 1 && work.front().kind == Kind::kRun;
    auto* box = new QMessageBox(parent);
    box->setObjectName(QStringLiteral("askToStop"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setWindowTitle(QMessageBox::tr("Still going on"));
    box->setIcon(QMessageBox::Warning);
    box->setTextFormat(Qt::PlainText);
    const QString question = !quits            ? QMessageBox::tr("Stop it and close it?")
                             : work.size() > 1 ? QMessageBox::tr("Stop them and quit?")
                                               : QMessageBox::tr("Stop it and quit?");
    box->setText(whatGoesOn(work) + QLatin1Char(' ') + question);
    box->setInformativeText(whatIsKept(work));
    QPushButton* end =
        box->addButton(quits ? QMessageBox::tr("&Stop and Quit") : QMessageBox::tr("&Stop and Close"),
                       QMessageBox::AcceptRole);
    QPushButton* keep =
        box->addButton(onlyRecords ? QMessageBox::tr("&Keep Recording") : QMessageBox::tr("&Keep Running"),
                       QMessageBox::RejectRole);
    box->setDefaultButton(keep);
    box->setEscapeButton(keep);
    QObject::connect(end, &QPushButton::clicked, parent, stop);
    box->open();
    return box;
}

}  // namespace warpglass::app
