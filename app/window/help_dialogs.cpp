#include "app/window/help_dialogs.h"

#include <QApplication>
#include <QMessageBox>

#include "engine/session/runner_library.h"

namespace warpglass::app {

namespace {

QString tr(const char* text) {
    return QMessageBox::tr(text);
}

}  // namespace

void showShortcuts(QWidget* parent) {
    QMessageBox box(parent);
    box.setWindowTitle(tr("Keys and Mouse"));
    box.setTextFormat(Qt::RichText);
    const auto row = [](const QString& keys, const QString& what) {
        return QStringLiteral("<tr><td style='padding-right:24px'><b>%1</b></td><td>%2</td></tr>")
            .arg(keys, what);
    };
    box.setText(QStringLiteral("<table>") + row(tr("Wheel, W / S"), tr("zoom at the cursor")) +
                row(tr("Drag, A / D"), tr("move along the time axis")) +
                row(tr("Shift + drag"), tr("measure and select a range")) +
                row(tr("Click"), tr("select a span and fix the cursor")) +
                row(tr("Double click"), tr("zoom to the span")) +
                row(tr("Arrow keys"), tr("next and previous span, parent and child")) +
                row(tr("F"), tr("fit the whole run")) + row(tr("Ctrl+Z"), tr("undo a zoom")) +
                row(tr("Esc"), tr("clear selection and cursor")) +
                row(tr("Ctrl+R, Ctrl+."), tr("run, stop")) + row(tr("Ctrl+O, Ctrl+S"), tr("open, save")) +
                row(tr("F12"), tr("show what drawing the timeline costs")) +
                row(tr("Ctrl+C in a table"), tr("copy the selected rows as tab-separated text")) +
                QStringLiteral("</table>"));
    box.exec();
}

void showAbout(QWidget* parent) {
    const auto torch = expectedTorchVersion();
    QMessageBox::about(
        parent, tr("About Warpglass"),
        tr("<b>Warpglass %1</b><p>A profiler and memory visualiser for Transformer runs.</p><p>Qt %2, "
           "QCustomPlot, SQLite, zstd%3. "
           "Fonts: Inter and JetBrains Mono (OFL).</p><p>Free software under the GNU General Public License, "
           "version 3 or later.</p>")
            .arg(QApplication::applicationVersion(), QString::fromLatin1(qVersion()),
                 torch.empty()
                     ? tr("; built without the engine that runs models")
                     : tr(", LibTorch %1")
                           .arg(QString::fromUtf8(torch.data(), static_cast<qsizetype>(torch.size())))));
}

}  // namespace warpglass::app
