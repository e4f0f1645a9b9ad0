#include "app/window/about_dialog.h"

#include <QApplication>
#include <QMessageBox>

#include "engine/session/runner_library.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::app {

namespace {

QString tr(const char* text) {
    return QMessageBox::tr(text);
}

}  // namespace

void showAbout(QWidget* parent) {
    const auto torch = expectedTorchVersion();
    QMessageBox::about(
        parent, tr("About Warpglass"),
        tr("<b>Warpglass %1</b><p>A profiler and memory visualizer for Transformer runs.</p><p>Qt %2, "
           "QCustomPlot, SQLite, zstd%3. "
           "Fonts: Inter and JetBrains Mono (OFL).</p><p>Free software under the GNU General Public License, "
           "version 3 or later.</p>")
            .arg(QApplication::applicationVersion(), QString::fromLatin1(qVersion()),
                 torch.empty() ? tr("; built without the engine that runs models")
                               : tr(", LibTorch %1").arg(ui::toQString(torch))));
}

}  // namespace warpglass::app
