#include "ui/theme/theme.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QFontInfo>
#include <QImage>
#include <QLineEdit>
#include <QPainter>
#include <QPalette>
#include <QSignalSpy>

#include "ui/theme/icons.h"
#include "ui/theme/style_sheet.h"
#include "ui/theme/swatch.h"

namespace warpglass::ui::theme_test {

constexpr ThemeKind kKinds[] = {ThemeKind::kDark, ThemeKind::kLight};
constexpr double kReadable = 4.5;  // WCAG 2.1, AA, for text of this size

struct ThemeTest : testing::Test {
    void TearDown() override { Theme::instance().setKind(ThemeKind::kDark); }
};

TEST_F(ThemeTest, ContrastIsThatOfTheStandard) {
    EXPECT_NEAR(Theme::contrast(Qt::white, Qt::black), 21.0, 1e-9);
    EXPECT_NEAR(Theme::contrast(Qt::black, Qt::black), 1.0, 1e-9);
    // A published pair: #777777 on white is just too faint, #767676 is the lightest gray that is not.
    EXPECT_NEAR(Theme::contrast(QColor(0x77, 0x77, 0x77), Qt::white), 4.48, 0.01);
    EXPECT_NEAR(Theme::contrast(QColor(0x76, 0x76, 0x76), Qt::white), 4.54, 0.01);
    EXPECT_EQ(Theme::contrast(Qt::red, Qt::blue), Theme::contrast(Qt::blue, Qt::red));
}

TEST_F(ThemeTest, TextReadsOnEverySurface) {
    for (const ThemeKind kind : kKinds) {
        const ThemeColors& c = Theme::colorsOf(kind);
        for (const QColor& surface : {c.background, c.panel, c.raised, c.hover}) {
            for (const QColor& text : {c.text, c.secondaryText, c.warning}) {
                EXPECT_GE(Theme::contrast(text, surface), kReadable)
                    << text.name().toStdString() << " on " << surface.name().toStdString();
            }
        }
        EXPECT_GE(Theme::contrast(c.onAccent, c.accent), kReadable);
    }
}

/// For a lecture hall: what WCAG asks for at its highest level, and lines that are seen.
TEST_F(ThemeTest, HighContrastIsHigher) {
    constexpr double kHighest = 7, kOfLines = 3;
    for (const ThemeKind kind : kKinds) {
        const ThemeColors &c = Theme::highContrastColorsOf(kind), &usual = Theme::colorsOf(kind);
        for (const QColor& surface : {c.background, c.panel, c.raised, c.hover}) {
            for (const QColor& text : {c.text, c.secondaryText, c.warning}) {
                EXPECT_GE(Theme::contrast(text, surface), kHighest)
                    << text.name().toStdString() << " on " << surface.name().toStdString();
            }
        }
        EXPECT_DOUBLE_EQ(Theme::contrast(c.text, c.panel), 21);
        EXPECT_GE(Theme::contrast(c.hairline, c.panel), kOfLines);
        EXPECT_GT(Theme::contrast(c.grid, c.panel), Theme::contrast(usual.grid, usual.panel));
        EXPECT_GE(Theme::contrast(c.onAccent, c.accent), kHighest);
    }
    Theme& theme = Theme::instance();
    QSignalSpy changed(&theme, &Theme::changed);
    theme.setHighContrast(true);
    EXPECT_EQ(theme.colors(), Theme::highContrastColorsOf(theme.kind()));
    theme.setHighContrast(false);
    EXPECT_EQ(theme.colors(), Theme::colorsOf(theme.kind()));
    EXPECT_EQ(changed.count(), 2);
}

TEST_F(ThemeTest, AColorThatIsMadeReadableKeepsHueAndSaturation) {
    for (const ThemeKind kind : kKinds) {
        Theme::instance().setKind(kind);
        for (std::size_t i = 0; i < kPhaseCount; ++i) {
            const QColor color = Theme::instance().phaseColor(static_cast<Phase>(i));
            const QColor fill = Theme::instance().colors().background;
            const QColor readable = Theme::readableOn(color, fill);
            EXPECT_GE(Theme::contrast(readable, fill), kReadable) << color.name().toStdString();
            EXPECT_NEAR(readable.hslHueF(), color.hslHueF(), 0.02) << color.name().toStdString();
            EXPECT_NEAR(readable.hslSaturationF(), color.hslSaturationF(), 0.05)
                << color.name().toStdString();
        }
    }
}

TEST_F(ThemeTest, EverySwatchEndsSomewhere) {
    for (const ThemeKind kind : kKinds) {
        Theme::instance().setKind(kind);
        const ThemeColors& colors = Theme::instance().colors();
        for (const QColor& surface : {colors.panel, colors.raised, colors.hover}) {
            for (std::size_t i = 0; i < kPhaseCount; ++i)
                EXPECT_GE(
                    Theme::contrast(borderOf(Theme::instance().phaseColor(static_cast<Phase>(i)), surface),
                                    surface),
                    3);
            for (std::size_t i = 0; i < kCategoryCount; ++i)
                EXPECT_GE(Theme::contrast(borderOf(Theme::categoryColor(static_cast<Category>(i)), surface),
                                          surface),
                          3);
        }
    }
}

TEST_F(ThemeTest, APlaceholderHasItsTokenAndFollowsTheTheme) {
    QLineEdit field;
    for (const ThemeKind kind : kKinds) {
        Theme::instance().setKind(kind);
        Theme::instance().apply(*qApp);
        field.ensurePolished();
        const ThemeColors& colors = Theme::instance().colors();
        EXPECT_EQ(field.palette().color(QPalette::PlaceholderText), colors.secondaryText);
        EXPECT_EQ(field.palette().color(QPalette::Text), colors.text);
        EXPECT_EQ(field.palette().color(QPalette::Disabled, QPalette::Text), colors.secondaryText);
    }
    Theme::instance().setKind(ThemeKind::kDark);
    Theme::instance().apply(*qApp);  // as the other tests have it
}

TEST_F(ThemeTest, TextReadsOnEveryFill) {
    const auto readable = [](const QColor& fill) {
        EXPECT_GE(Theme::contrast(Theme::textOn(fill), fill), kReadable) << fill.name().toStdString();
    };
    for (const ThemeKind kind : kKinds) {
        Theme::instance().setKind(kind);
        for (std::size_t i = 0; i < kCategoryCount; ++i)
            readable(Theme::categoryColor(static_cast<Category>(i)));
        for (std::size_t i = 0; i < kOpFamilyCount; ++i)
            readable(Theme::instance().familyColor(static_cast<OpFamily>(i)));
        for (std::size_t i = 0; i < kPhaseCount; ++i)
            readable(Theme::instance().phaseColor(static_cast<Phase>(i)));
    }
    for (int gray = 0; gray < 256; ++gray)
        readable(QColor(gray, gray, gray));
}

TEST_F(ThemeTest, CategoriesFamiliesAndPhasesDiffer) {
    QSet<QRgb> seen;
    for (std::size_t i = 0; i < kCategoryCount; ++i)
        seen.insert(Theme::categoryColor(static_cast<Category>(i)).rgb());
    EXPECT_EQ(seen.size(), static_cast<int>(kCategoryCount));
    for (const ThemeKind kind : kKinds) {
        Theme::instance().setKind(kind);
        seen.clear();
        for (std::size_t i = 0; i < kOpFamilyCount; ++i)
            seen.insert(Theme::instance().familyColor(static_cast<OpFamily>(i)).rgb());
        EXPECT_EQ(seen.size(), static_cast<int>(kOpFamilyCount));
    }
}

TEST_F(ThemeTest, CategoryColorsAreOkabeAndItos) {
    EXPECT_EQ(Theme::categoryColor(Category::kWeights), QColor(0x00, 0x72, 0xB2));
    EXPECT_EQ(Theme::categoryColor(Category::kGradients), QColor(0x56, 0xB4, 0xE9));
    EXPECT_EQ(Theme::categoryColor(Category::kOptimizerState), QColor(0x00, 0x9E, 0x73));
    EXPECT_EQ(Theme::categoryColor(Category::kInput), QColor(0xF0, 0xE4, 0x42));
    EXPECT_EQ(Theme::categoryColor(Category::kActivations), QColor(0xE6, 0x9F, 0x00));
    EXPECT_EQ(Theme::categoryColor(Category::kTemporaries), QColor(0xCC, 0x79, 0xA7));
}

TEST_F(ThemeTest, ChangingTheKindSaysSoOnce) {
    Theme& theme = Theme::instance();
    theme.setKind(ThemeKind::kDark);
    QSignalSpy spy(&theme, &Theme::changed);
    theme.setKind(ThemeKind::kLight);
    theme.setKind(ThemeKind::kLight);
    EXPECT_EQ(spy.count(), 1);
    EXPECT_EQ(theme.colors(), Theme::colorsOf(ThemeKind::kLight));
    EXPECT_EQ(Theme::kindForWord("dark"), ThemeKind::kDark);
    EXPECT_EQ(Theme::kindForWord("light"), ThemeKind::kLight);
    EXPECT_EQ(Theme::kindForWord("system"), Theme::systemKind());
}

TEST_F(ThemeTest, ApplyGivesPaletteAndSheetOfTheKind) {
    for (const ThemeKind kind : kKinds) {
        Theme::instance().setKind(kind);
        Theme::instance().apply(*qApp);
        const ThemeColors& c = Theme::colorsOf(kind);
        EXPECT_EQ(QApplication::palette().color(QPalette::Window), c.panel);
        EXPECT_EQ(QApplication::palette().color(QPalette::Text), c.text);
        EXPECT_TRUE(qApp->styleSheet().contains(c.accent.name()));
    }
    Theme::instance().setKind(ThemeKind::kDark);
    Theme::instance().apply(*qApp);
}

TEST_F(ThemeTest, TheStyleSheetLeavesNoTokenUnreplaced) {
    for (const ThemeKind kind : kKinds)
        EXPECT_FALSE(styleSheet(Theme::colorsOf(kind), kind).contains(QLatin1Char('@')));
}

TEST_F(ThemeTest, TheFontsAreThoseCompiledIn) {
    EXPECT_EQ(QFontInfo(Theme::textFont()).family(), "Inter");
    EXPECT_EQ(QFontInfo(Theme::textFont()).pixelSize(), 13);
    EXPECT_EQ(QFontInfo(Theme::tableFont()).pixelSize(), 12);
    EXPECT_EQ(QFontInfo(Theme::headFont()).weight(), QFont::DemiBold);
    EXPECT_EQ(QFontInfo(Theme::monoFont()).family(), "JetBrains Mono");
    const QFontMetricsF mono(Theme::monoFont());
    EXPECT_DOUBLE_EQ(mono.horizontalAdvance(QLatin1Char('i')), mono.horizontalAdvance(QLatin1Char('W')));
    // What numbers and names need: thin space, micro sign, middle dot, ellipsis, multiplication sign.
    for (const char32_t c : {U'\u202F', U'\u00b5', U'\u00b7', U'\u2026', U'\u00d7', U'\u00b1'})
        EXPECT_TRUE(QFontMetricsF(Theme::textFont()).inFontUcs4(c)) << static_cast<unsigned>(c);
}

TEST_F(ThemeTest, EveryIconDrawsItsColorAndOnlyIt) {
    for (int i = 0; i < kIconCount; ++i) {
        QImage image(32, 32, QImage::Format_ARGB32);
        image.fill(Qt::transparent);
        QPainter painter(&image);
        paintIcon(painter, QRectF(0, 0, 32, 32), static_cast<Icon>(i), QColor(200, 10, 30));
        painter.end();
        int inked = 0;
        for (int y = 0; y < 32; ++y) {
            for (int x = 0; x < 32; ++x) {
                const QColor pixel = image.pixelColor(x, y);
                inked += pixel.alpha() > 128;
                if (pixel.alpha() == 255) {
                    // Blending may round by one.
                    EXPECT_NEAR(pixel.red(), 200, 1);
                    EXPECT_NEAR(pixel.green(), 10, 1);
                    EXPECT_NEAR(pixel.blue(), 30, 1);
                }
                // Never above 16 px, centered.
                if (x < 7 || x > 24 || y < 7 || y > 24) {
                    EXPECT_EQ(pixel.alpha(), 0) << "icon " << i;
                }
            }
        }
        EXPECT_GT(inked, 6) << "icon " << i;
    }
}

}  // namespace warpglass::ui::theme_test
