#include "ui/theme/theme.h"

#include <QApplication>
#include <QDirIterator>
#include <QFontDatabase>
#include <QFrame>
#include <QGuiApplication>
#include <QPainter>
#include <QPalette>
#include <QScreen>
#include <QStyle>
#include <QStyleHints>
#include <QToolTip>
#include <QWidget>
#include <algorithm>
#include <array>
#include <cmath>

#include "ui/theme/style_sheet.h"
#include "ui/theme/warpglass_style.h"

// In the global namespace, as Qt asks; a static library's resources are dropped unless they are named.
static void initFontResources() {
    Q_INIT_RESOURCE(warpglass_fonts);
}

namespace warpglass::ui {

namespace {

QColor rgb(unsigned value) {
    return QColor::fromRgb(QRgb(0xff000000u | value));
}

/// A color of the look by theme, and by theme with high contrast: black and white, with secondary text at
/// more than 9 : 1 (WCAG asks for 7 : 1 at its highest level) and lines that a projector does not lose.
struct Token {
    QColor ThemeColors::*color;
    unsigned dark, light, darkContrast, lightContrast;
};
constexpr Token kTokens[] = {{&ThemeColors::background, 0x0E1116, 0xF4F6F8, 0x000000, 0xFFFFFF},
                             {&ThemeColors::panel, 0x151A21, 0xFFFFFF, 0x000000, 0xFFFFFF},
                             {&ThemeColors::raised, 0x1C232C, 0xEEF1F4, 0x16191D, 0xEDF0F3},
                             {&ThemeColors::hover, 0x222B36, 0xE6EBF0, 0x2A313A, 0xDCE2E8},
                             {&ThemeColors::hairline, 0x29323D, 0xD9DFE6, 0x5F6B78, 0x7D8894},
                             {&ThemeColors::grid, 0x1E2630, 0xEBEEF2, 0x343C45, 0xC9D0D7},
                             {&ThemeColors::text, 0xE6EAF0, 0x1A2028, 0xFFFFFF, 0x000000},
                             {&ThemeColors::secondaryText, 0x97A3B0, 0x5A6673, 0xD3DAE2, 0x2E3740},
                             {&ThemeColors::accent, 0x4CA6FF, 0x0B66C3, 0x7CC0FF, 0x00499A},
                             {&ThemeColors::onAccent, 0x0E1116, 0xFFFFFF, 0x000000, 0xFFFFFF},
                             {&ThemeColors::warning, 0xF5B267, 0x8F4A00, 0xFFC98A, 0x6E3700},
                             {&ThemeColors::less, 0x009E73, 0x009E73, 0x009E73, 0x009E73},
                             {&ThemeColors::more, 0xE69F00, 0xE69F00, 0xE69F00, 0xE69F00},
                             {&ThemeColors::equal, 0x97A3B0, 0x5A6673, 0xD3DAE2, 0x2E3740}};

ThemeColors colorsIn(unsigned Token::*theme) {
    ThemeColors colors;
    for (const Token& token : kTokens)
        colors.*token.color = rgb(token.*theme);
    return colors;
}

struct Pair {
    unsigned dark, light;
    QColor of(ThemeKind kind) const { return rgb(kind == ThemeKind::kDark ? dark : light); }
};

// Categories, families and phases: the look's hues, at lightnesses and strengths of which any two are told
// apart with protanopia, deuteranopia and tritanopia too (tests/unit/theme/color_vision_test.cpp). Hues fall
// together there, lightness stays: a changed tone needs that test.

/// By OpFamily. "Other" stands back behind elementwise.
constexpr std::array<Pair, kOpFamilyCount> kFamilies = {{{0x3987D4, 0x428EE6},
                                                         {0x16AFA3, 0x0B8A82},
                                                         {0xB49FF4, 0x7557B3},
                                                         {0x6A7889, 0x94A1B1},
                                                         {0x398D4B, 0x36733E},
                                                         {0xB79478, 0xB08A6B},
                                                         {0x4A5665, 0xC8D0D8}}};

/// By Phase. Those that the look does not name are neutral. Backward is the darkest of the others.
constexpr Pair kNeutralPhase{0x3C454E, 0xBFC5CD};
constexpr std::array<Pair, kPhaseCount> kPhases = {{kNeutralPhase,
                                                    kNeutralPhase,
                                                    {0x2366A8, 0xB2DDFE},
                                                    {0x7A6A2E, 0xE4D8A2},
                                                    {0x503D6E, 0xAE9CCC},
                                                    {0x386244, 0xA0C3A8},
                                                    kNeutralPhase,
                                                    kNeutralPhase,
                                                    kNeutralPhase}};

/// Okabe and Ito's, and two grays: workspace's is so light because temporaries' pink is a gray of middle
/// lightness with deuteranopia. Copies of weights, stored as activations, have a deep tone of their orange.
constexpr std::array<unsigned, kCategoryCount> kCategories = {
    0x0072B2, 0x56B4E9, 0x009E73, 0xF0E442, 0xE69F00, 0xCC79A7, 0xBBC0C5, 0x5A6673, 0xB84A00};

/// Relative luminance as WCAG 2.1 defines it.
double luminance(const QColor& color) {
    const auto linear = [](double channel) {
        return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

/// The families are named in the font files: "Inter", also in variable ones.
constexpr const char* kTextFamily = "Inter";
constexpr const char* kMonoFamily = "JetBrains Mono";

QFont inter(int pixels, QFont::Weight weight) {
    QFont font(QString::fromLatin1(kTextFamily));
    font.setPixelSize(pixels);
    font.setWeight(weight);
    font.setStyleHint(QFont::SansSerif);
    return font;
}

}  // namespace

QPalette paletteOf(const ThemeColors& c) {
    QPalette p;
    p.setColor(QPalette::Window, c.panel);
    p.setColor(QPalette::WindowText, c.text);
    p.setColor(QPalette::Base, c.panel);
    p.setColor(QPalette::AlternateBase, c.raised);
    p.setColor(QPalette::Text, c.text);
    p.setColor(QPalette::Button, c.raised);
    p.setColor(QPalette::ButtonText, c.text);
    p.setColor(QPalette::BrightText, c.warning);
    p.setColor(QPalette::ToolTipBase, c.raised);
    p.setColor(QPalette::ToolTipText, c.text);
    p.setColor(QPalette::PlaceholderText, c.secondaryText);
    p.setColor(QPalette::Highlight, c.accent);
    p.setColor(QPalette::HighlightedText, c.onAccent);
    p.setColor(QPalette::Link, c.accent);
    p.setColor(QPalette::LinkVisited, c.accent);
    // Fusion shades its frames from these; hairlines are all the shade there is.
    p.setColor(QPalette::Light, c.raised);
    p.setColor(QPalette::Midlight, c.hairline);
    p.setColor(QPalette::Mid, c.hairline);
    p.setColor(QPalette::Dark, c.hairline);
    p.setColor(QPalette::Shadow, c.background);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        p.setColor(QPalette::Disabled, role, c.secondaryText);
    return p;
}

Theme& Theme::instance() {
    static Theme theme;
    return theme;
}

void Theme::setKind(ThemeKind kind) {
    if (kind == m_kind)
        return;
    m_kind = kind;
    emit changed();
}

ThemeKind Theme::systemKind() {
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
    switch (QGuiApplication::styleHints()->colorScheme()) {
        case Qt::ColorScheme::Dark:
            return ThemeKind::kDark;
        case Qt::ColorScheme::Light:
            return ThemeKind::kLight;
        default:
            return ThemeKind::kDark;
    }
#else
    // apply() replaces the palette, so the desktop's is kept from the first call.
    static const bool dark = [] {
        const QPalette desktop = QGuiApplication::palette();
        return desktop.color(QPalette::Window).lightness() <= desktop.color(QPalette::WindowText).lightness();
    }();
    return dark ? ThemeKind::kDark : ThemeKind::kLight;
#endif
}

ThemeKind Theme::kindForWord(const QString& word) {
    if (word == QLatin1String("dark"))
        return ThemeKind::kDark;
    if (word == QLatin1String("light"))
        return ThemeKind::kLight;
    return systemKind();
}

void Theme::setHighContrast(bool on) {
    if (on == m_highContrast)
        return;
    m_highContrast = on;
    emit changed();
}

const ThemeColors& Theme::colors() const {
    return m_highContrast ? highContrastColorsOf(m_kind) : colorsOf(m_kind);
}

const ThemeColors& Theme::highContrastColorsOf(ThemeKind kind) {
    static const ThemeColors dark = colorsIn(&Token::darkContrast), light = colorsIn(&Token::lightContrast);
    return kind == ThemeKind::kDark ? dark : light;
}

const ThemeColors& Theme::colorsOf(ThemeKind kind) {
    static const ThemeColors dark = colorsIn(&Token::dark), light = colorsIn(&Token::light);
    return kind == ThemeKind::kDark ? dark : light;
}

QColor Theme::clockPhaseColor(ClockPhase phase) {
    static constexpr std::array<Category, kClockPhaseCount> kColors = {
        Category::kTemporaries, Category::kWeights, Category::kActivations, Category::kOptimizerState};
    return categoryColor(kColors[std::min(static_cast<std::size_t>(phase), kClockPhaseCount - 1)]);
}

QColor Theme::categoryColor(Category category) {
    return rgb(kCategories[std::min(static_cast<std::size_t>(category), kCategoryCount - 1)]);
}

QColor Theme::familyColor(OpFamily family) const {
    return kFamilies[std::min(static_cast<std::size_t>(family), kOpFamilyCount - 1)].of(m_kind);
}

QColor Theme::phaseColor(Phase phase) const {
    return kPhases[std::min(static_cast<std::size_t>(phase), kPhaseCount - 1)].of(m_kind);
}

double Theme::contrast(const QColor& a, const QColor& b) {
    // The list form gives values; the two-argument form would give references to temporaries.
    const auto [low, high] = std::minmax({luminance(a), luminance(b)});
    return (high + 0.05) / (low + 0.05);
}

QColor Theme::textOn(const QColor& fill) {
    constexpr double kEnough = 4.5;
    const std::array<QColor, 2> tokens = {colorsOf(ThemeKind::kDark).text, colorsOf(ThemeKind::kLight).text};
    const std::array<QColor, 2> extremes = {rgb(0xFFFFFF), rgb(0x000000)};
    for (const auto& choice : {tokens, extremes}) {
        const bool first = contrast(choice[0], fill) >= contrast(choice[1], fill);
        // One of black and white always has 4.58 (the square root of 21).
        if (const QColor& best = choice[first ? 0 : 1]; contrast(best, fill) >= kEnough)
            return best;
    }
    return contrast(extremes[0], fill) >= contrast(extremes[1], fill) ? extremes[0] : extremes[1];
}

QColor Theme::readableOn(const QColor& color, const QColor& fill, double enough) {
    const bool darken = luminance(fill) > 0.18;  // where black and white contrast alike
    // By lightness: darker() keeps the little saturation of a pastel, which makes it gray.
    float hue = 0, saturation = 0, lightness = 0;
    color.getHslF(&hue, &saturation, &lightness);
    QColor readable = color;
    constexpr float kStep = 0.02F;
    while (contrast(readable, fill) < enough && (darken ? lightness > kStep : lightness < 1 - kStep)) {
        lightness += darken ? -kStep : kStep;
        readable = QColor::fromHslF(hue, saturation, lightness);
    }
    return contrast(readable, fill) >= enough ? readable : textOn(fill);
}

QColor Theme::mixed(const QColor& from, const QColor& to, double share) {
    const auto mix = [share](int a, int b) { return static_cast<int>(std::lround(a + (b - a) * share)); };
    return QColor(mix(from.red(), to.red()), mix(from.green(), to.green()), mix(from.blue(), to.blue()));
}

QColor Theme::muted(const QColor& color) const {
    constexpr double kShare = 0.7, kSeen = 1.1, kStep = 0.05;
    const QColor& ground = colors().background;
    double share = kShare;
    while (share > 0 && contrast(mixed(color, ground, share), ground) < kSeen)
        share -= kStep;
    return mixed(color, ground, std::max(share, 0.0));
}

void Theme::loadFonts() {
    static bool loaded = false;
    if (loaded)
        return;
    loaded = true;
    initFontResources();
    QDirIterator files(QStringLiteral(":/warpglass/fonts"));
    while (files.hasNext())
        QFontDatabase::addApplicationFont(files.next());
}

QFont Theme::textFont() {
    return inter(13, QFont::Normal);
}

QFont Theme::strongFont() {
    return inter(13, QFont::Medium);
}

QFont Theme::tableFont() {
    QFont font = inter(12, QFont::Normal);
#if QT_VERSION >= QT_VERSION_CHECK(6, 7, 0)
    font.setFeature(QFont::Tag("tnum"), 1);
#endif
    return font;
}

QFont Theme::headFont() {
    QFont font = inter(11, QFont::DemiBold);
    font.setCapitalization(QFont::AllUppercase);
    font.setLetterSpacing(QFont::AbsoluteSpacing, 0.6);
    return font;
}

QFont Theme::monoFont() {
    QFont font(QString::fromLatin1(kMonoFamily));
    font.setStyleHint(QFont::Monospace);
    // Pixel sizes are whole numbers in QFont; 11.5 px needs points.
    const QScreen* screen = QGuiApplication::primaryScreen();
    const double dotsPerInch = screen ? screen->logicalDotsPerInchY() : 96.0;
    font.setPointSizeF(11.5 * 72.0 / dotsPerInch);
    return font;
}

void Theme::apply(QApplication& application) {
    systemKind();  // before the desktop's palette is gone
    loadFonts();
    if (!qobject_cast<WarpglassStyle*>(application.style()) && application.styleSheet().isEmpty())
        QApplication::setStyle(new WarpglassStyle);
    QApplication::setFont(textFont());
    QApplication::setPalette(paletteOf(colors()));
    QFont toolTips = tableFont();
    // Names as they are: shaped, the x of a kernel's 304x128 would be a sign of multiplication.
    toolTips.setStyleStrategy(QFont::PreferNoShaping);
    QToolTip::setFont(toolTips);
    application.setStyleSheet(styleSheet(colors(), m_kind));
}

void restyle(QWidget& widget, const char* property, bool value) {
    widget.setProperty(property, value);
    widget.style()->unpolish(&widget);
    widget.style()->polish(&widget);
}

QFrame* hairline(Qt::Orientation orientation, QWidget* parent) {
    auto* line = named(new QFrame(parent), "hairline");
    if (orientation == Qt::Horizontal)
        line->setFixedHeight(1);
    else
        line->setFixedWidth(1);
    return line;
}

PainterScope::PainterScope(QPainter& painter) : m_painter(painter) {
    painter.save();
}

PainterScope::~PainterScope() {
    m_painter.restore();
}

}  // namespace warpglass::ui
