// A few views as pictures, compared with tests/golden/pixels under a tolerance: what structure cannot tell,
// such as what lies over what. Both are seen in blocks: letters that another rasterizer draws a little
// otherwise hold about as much ink, a bar of another color or place does not.
#include <QDir>
#include <cmath>

#include "engine/sweep/sweep_chart.h"
#include "tests/gui/golden_runs.h"
#include "tests/support/made_sweep.h"
#include "ui/charts/data_chart.h"

namespace warpglass::app::view_pixels_test {

constexpr QSize kSize(640, 400);
/// Device pixels a side: a few letters.
constexpr int kBlock = 16;
/// The difference of a block's mean, of 255, that is no longer a letter's; and over all of the picture.
constexpr double kMostOfABlock = 18, kMostOfAll = 1.5;

struct Difference {
    double worst = 0, mean = 0;
    QPoint where;
    QImage picture;  // the blocks that differ, in red over the gray of what is painted
};

Difference differenceOf(const QImage& a, const QImage& b) {
    Difference difference;
    difference.picture = b.convertToFormat(QImage::Format_Grayscale8).convertToFormat(QImage::Format_RGB32);
    double all = 0;
    int blocks = 0;
    // Blocks overlap by half, so that none is missed for lying across an edge.
    for (int y = 0; y + kBlock <= a.height(); y += kBlock / 2) {
        for (int x = 0; x + kBlock <= a.width(); x += kBlock / 2, ++blocks) {
            double sums[3] = {};
            for (int row = y; row < y + kBlock; ++row) {
                for (int column = x; column < x + kBlock; ++column) {
                    const QRgb p = a.pixel(column, row), q = b.pixel(column, row);
                    sums[0] += qRed(p) - qRed(q);
                    sums[1] += qGreen(p) - qGreen(q);
                    sums[2] += qBlue(p) - qBlue(q);
                }
            }
            double most = 0;
            for (const double sum : sums)
                most = std::max(most, std::abs(sum) / (kBlock * kBlock));
            all += most;
            if (most > difference.worst) {
                difference.worst = most;
                difference.where = {x, y};
            }
            if (most > kMostOfABlock) {
                QPainter painter(&difference.picture);
                painter.fillRect(x, y, kBlock, kBlock, QColor(255, 0, 0, 90));
            }
        }
    }
    difference.mean = all / std::max(1, blocks);
    return difference;
}

bool alike(const Difference& difference) {
    return difference.worst <= kMostOfABlock && difference.mean <= kMostOfAll;
}

void expectPicture(const QString& name, const QImage& painted) {
    const QString path = QStringLiteral(WARPGLASS_GOLDEN_DIR "/pixels/%1.png").arg(name);
    if (updatesGoldens()) {
        constexpr int kSmallest = 0;
        ASSERT_TRUE(painted.convertToFormat(QImage::Format_RGB32).save(path, "png", kSmallest));
        EXPECT_LT(QFileInfo(path).size(), 66'000) << name.toStdString() << " is too large to keep";
        return;
    }
    const QImage expected(path);
    ASSERT_FALSE(expected.isNull()) << path.toStdString() << " is not there" << kHowToUpdate;
    ASSERT_EQ(expected.size(), painted.size()) << name.toStdString();
    const Difference difference = differenceOf(expected, painted);
    if (alike(difference))
        return;
    const QString beside = QDir::current().absoluteFilePath(QStringLiteral("differences/%1").arg(name));
    QDir().mkpath(QFileInfo(beside).path());
    painted.save(beside + QStringLiteral(".png"));
    difference.picture.save(beside + QStringLiteral("-difference.png"));
    ADD_FAILURE() << name.toStdString() << " looks otherwise: " << difference.worst << " of 255 at "
                  << difference.where.x() << ", " << difference.where.y() << ", " << difference.mean
                  << " on average; see " << beside.toStdString() << "-difference.png" << kHowToUpdate;
}

TEST(ViewPixels, InBothThemesAndAtTwiceTheScale) {
    for (const ui::ThemeKind kind : {ui::ThemeKind::kDark, ui::ThemeKind::kLight}) {
        const bool dark = kind == ui::ThemeKind::kDark;
        useTheme(kind);
        UnseenRun shown;
        showRecorded(shown);
        shown.controller().axis().setSelectedRange(std::nullopt);  // all of the run
        for (const char* name : {"timeline", "memory", "treemap", "roofline"}) {
            QWidget* view = shown.bring(QString::fromLatin1(name));
            const bool detailed = QLatin1String(name) == QLatin1String("roofline");  // a larger file
            expectPicture(QStringLiteral("%1-%2").arg(QLatin1String(name), dark ? "dark" : "light"),
                          imageAt(*view, detailed ? QSize(520, 330) : kSize, 1));
            if (dark && QLatin1String(name) == QLatin1String("timeline")) {
                expectPicture("timeline-dark-twice",
                              imageAt(*view, kSize, 2).copy(QRect(QPoint(0, 0), kSize)));
            }
        }
    }
}

TEST(ViewPixels, ChartsOfASweepInBothThemes) {
    const std::pair<const char*, ChartKind> kinds[] = {
        {"lines", ChartKind::kLines}, {"bars", ChartKind::kBars}, {"heat", ChartKind::kHeatMap}};
    const Sweep sweep = test::madeSweep();
    for (const ui::ThemeKind kind : {ui::ThemeKind::kDark, ui::ThemeKind::kLight}) {
        useTheme(kind);
        for (const auto& [name, drawn] : kinds) {
            SweepView view = usualView(sweep);
            view.measure = drawn == ChartKind::kBars ? "peak_bytes" : "forward_mean_ns";
            view.kind = drawn;
            view.logY = drawn != ChartKind::kBars;
            view.predicted = drawn == ChartKind::kBars;
            ui::DataChart chart;
            chart.setChart(sweepChart(sweep, view));
            expectPicture(QStringLiteral("sweep-%1-%2")
                              .arg(QLatin1String(name), kind == ui::ThemeKind::kDark ? "dark" : "light"),
                          imageAt(chart, QSize(520, 330), 1));
        }
    }
}

// That the tolerance is one of letters.
TEST(PixelDifference, PassesOverLettersAndTellsBars) {
    const auto paint = [](double dx, const QColor& bar, int width) {
        QImage image(320, 200, QImage::Format_RGB32);
        image.fill(QColor(20, 22, 26));
        QPainter painter(&image);
        painter.setFont(ui::Theme::textFont());
        painter.setPen(QColor(220, 220, 220));
        painter.setRenderHint(QPainter::Antialiasing);
        painter.drawText(QPointF(20 + dx, 40), "forward 12.3 ms · blocks.3.attn");
        painter.fillRect(QRect(30, 90, width, 16), bar);
        painter.end();
        return image;
    };
    const QColor blue(86, 156, 214);
    const QImage expected = paint(0, blue, 100);
    EXPECT_TRUE(alike(differenceOf(expected, paint(0.4, blue, 100))));
    EXPECT_FALSE(alike(differenceOf(expected, paint(0, QColor(214, 156, 86), 100))));
    EXPECT_FALSE(alike(differenceOf(expected, paint(0, blue, 106))));
    EXPECT_FALSE(alike(differenceOf(expected, paint(0, blue, 0))));
}

}  // namespace warpglass::app::view_pixels_test
