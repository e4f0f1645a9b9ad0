#include "ui/theme/name_text.h"

#include <QFontMetricsF>
#include <QRegularExpression>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "engine/query/spans/kernel_title.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

const QChar kDots(0x2026);
/// Between what stands for each other in two runs.
const QString kArrow = QStringLiteral(" → ");
/// Where there is room for so few letters, the first say more than both ends.
constexpr int kFew = 14;

bool isWord(QChar c) {
    return c.isLetterOrNumber() || c == QLatin1Char('_');
}

/// Where the bracket that closes at the text's end opens; −1 without one.
qsizetype openingOfLast(const QString& text, QChar open, QChar close) {
    int depth = 0;
    for (qsizetype i = text.size() - 1; i >= 0; --i) {
        if (text[i] == close)
            ++depth;
        else if (text[i] == open && --depth == 0)
            return i;
    }
    return -1;
}

/// Without "at::native::", wherever it stands.
QString withoutNamespaces(const QString& text) {
    QString plain;
    qsizetype word = 0;  // where in `plain` the last word begins
    for (qsizetype i = 0; i < text.size(); ++i) {
        const bool separator = text[i] == QLatin1Char(':') && i + 2 < text.size() &&
                               text[i + 1] == QLatin1Char(':') && isWord(text[i + 2]);
        if (separator && word < plain.size()) {
            plain.truncate(word);
            ++i;
            continue;
        }
        plain += text[i];
        if (!isWord(text[i]))
            word = plain.size();
    }
    return plain;
}

/// A C++ function without what it returns, takes and is a member of.
QString plainFunction(QString name) {
    name.remove(QLatin1String("(anonymous namespace)::"));
    if (name.startsWith(QLatin1String("void ")))
        name.remove(0, 5);
    if (name.endsWith(QLatin1Char(')'))) {
        if (const qsizetype open = openingOfLast(name, QLatin1Char('('), QLatin1Char(')')); open > 0)
            name.truncate(open);
    }
    const QString plain = withoutNamespaces(name);
    return plain.isEmpty() ? name : plain;
}

/// Whether digits on both sides of an "x" are in the part: "128x64".
bool hasShape(QStringView part) {
    for (qsizetype x = 1; x + 1 < part.size(); ++x) {
        if (part[x] == QLatin1Char('x') && part[x - 1].isDigit() && part[x + 1].isDigit())
            return true;
    }
    return false;
}

/// How much a part of a GEMM's name tells of it: parts that tell least are left out first.
enum Telling { kNothing, kLittle, kSome, kShape, kMost, kFamily };

Telling tellingOf(const QString& part, bool tileBefore, bool familyBefore) {
    static const QRegularExpression kTile(QStringLiteral("^[a-z]*\\d+x\\d+(x\\d+)?$"));
    static const QRegularExpression kLayout(QStringLiteral("^([TN]{2,3}|[tn]{2})$"));
    static const QRegularExpression kArchitecture(QStringLiteral("^(sm)?\\d+[a-z]?$"));
    static const QRegularExpression kTypes(
        QStringLiteral("^((bf|tf|f|s|u|e)\\d+)+$|^align\\w*$|^stage\\d+$"));
    static const QStringList kWrappers = {QString(),
                                          QStringLiteral("tst"),
                                          QStringLiteral("tss"),
                                          QStringLiteral("xmma"),
                                          QStringLiteral("simt"),
                                          QStringLiteral("tensorop"),
                                          QStringLiteral("execute"),
                                          QStringLiteral("kernel"),
                                          QStringLiteral("5x"),
                                          QStringLiteral("cublas")};
    if (kWrappers.contains(part) || kArchitecture.match(part).hasMatch())
        return kNothing;
    if (kLayout.match(part).hasMatch())
        return kMost;
    if (kTile.match(part).hasMatch())
        return tileBefore ? kShape : kMost;
    if (part.size() <= 2 || part == QLatin1String("ffma") || kTypes.match(part).hasMatch())
        return kLittle;
    return familyBefore ? kSome : kFamily;
}

/// The parts of a GEMM's name, between underscores.
class ProductName {
public:
    /// Nothing for a name that is not one: "sgemm_128x64_nn" has a word before a shape.
    static std::optional<ProductName> of(const QString& name) {
        if (!hasShape(name) || name.count(QLatin1Char('_')) < 2)
            return std::nullopt;
        return ProductName(name);
    }
    /// As one word of a text: without its wrapper, where it is one.
    static QString shortened(const QString& word) {
        auto product = of(word);
        if (!product)
            return word;
        product->dropWrappers();
        return product->text();
    }

    void dropWrappers() {
        // "tilesize128x64" is as plain by its numbers.
        static const QRegularExpression kSizeWords(QStringLiteral("^(tilesize|warpsize)"));
        m_parts.replaceInStrings(kSizeWords, QString());
        for (std::size_t i = 0; i < m_telling.size(); ++i)
            m_shown[i] = m_telling[i] != kNothing;
    }
    /// The last of those that tell least; false where only what it is of is left.
    bool dropOne() {
        std::size_t least = m_shown.size();
        for (std::size_t i = 0; i < m_shown.size(); ++i) {
            if (m_shown[i] && m_telling[i] != kFamily &&
                (least == m_shown.size() || m_telling[i] <= m_telling[least]))
                least = i;
        }
        if (least == m_shown.size())
            return false;
        m_shown[least] = false;
        return true;
    }
    QString text() const {
        QString text;
        bool gap = false;
        for (std::size_t i = 0; i < m_shown.size(); ++i) {
            if (!m_shown[i]) {
                gap = true;
                continue;
            }
            // What is left out at either end goes without saying.
            if (!text.isEmpty())
                text += gap ? kDots : QChar(u'_');
            gap = false;
            text += m_parts[static_cast<qsizetype>(i)];
        }
        return text;
    }

private:
    explicit ProductName(const QString& name) : m_parts(name.split(QLatin1Char('_'))) {
        bool tile = false, family = false;
        for (const QString& part : m_parts) {
            m_telling.push_back(tellingOf(part, tile, family));
            tile = tile || m_telling.back() == kMost;
            family = family || m_telling.back() == kFamily;
        }
        m_shown.resize(m_telling.size(), true);
    }

    QStringList m_parts;
    std::vector<Telling> m_telling;
    std::vector<bool> m_shown;
};

/// The long beginnings that say of all alike what they are.
QString withoutPrefix(const QString& name) {
    for (const char* prefix : {"autograd::engine::evaluate_function: ", "blocks."}) {
        if (name.startsWith(QLatin1String(prefix)))
            return name.mid(static_cast<qsizetype>(qstrlen(prefix)));
    }
    return name;
}

/// "FlashAttention, backward" of a backward op that is a template by name.
QString withTitle(const QString& name) {
    return name.startsWith(QLatin1String("torch::")) ? toQString(opTitle(name.toStdString())) : name;
}

/// "mm" of "aten::mm", as the timeline has it; on both sides of an arrow.
QString withoutAten(QString text) {
    const QString aten = QStringLiteral("aten::");
    text.replace(kArrow + aten, kArrow);
    return text.startsWith(aten) ? text.mid(aten.size()) : text;
}

/// "nvjet…NNN → sgemm…nn": each side by itself, so that the arrow stays; a short side leaves its room to the
/// other.
QString elidedSides(const QFontMetricsF& metrics, const QString& left, const QString& right, double room) {
    const double rest = room - metrics.horizontalAdvance(kArrow);
    const double ofLeft = metrics.horizontalAdvance(withoutAten(cutName(left)));
    const double ofRight = metrics.horizontalAdvance(withoutAten(cutName(right)));
    const double leftRoom = std::clamp(rest - ofRight, rest / 2, std::max(ofLeft, rest / 2));
    const QString shownLeft = elidedName(metrics, left, std::floor(leftRoom));
    return shownLeft + kArrow +
           elidedName(metrics, right, std::floor(rest - metrics.horizontalAdvance(shownLeft)));
}

}  // namespace

QString cutName(const QString& text, qsizetype most) {
    if (text.size() <= most)
        return text;
    qsizetype head = most * 2 / 3, tail = most - head - 1;
    // Not through a letter of two halves.
    if (text[head - 1].isHighSurrogate())
        --head;
    if (text[text.size() - tail].isLowSurrogate())
        --tail;
    return text.left(head) + kDots + text.right(tail);
}

QString shortenedName(const QString& name) {
    const QString plain = plainFunction(withoutPrefix(withTitle(cutName(name))));
    return ProductName::shortened(plain);
}

QString elidedName(const QFontMetricsF& metrics, const QString& name, double room) {
    const auto fits = [&](const QString& text) { return metrics.horizontalAdvance(text) <= room; };
    QString text = withoutAten(withTitle(cutName(name)));
    if (fits(text))
        return text;
    text = plainFunction(withoutPrefix(text));
    if (fits(text))
        return text;
    const qsizetype arrow = name.indexOf(kArrow);
    if (text.contains(QLatin1Char(' ')) && !text.contains(QLatin1Char('<'))) {
        // Several names in a sentence: "sgemm_128x64_nn → nvjet_…".
        QStringList words = text.split(QLatin1Char(' '));
        for (QString& word : words) {
            auto product = ProductName::of(word);
            if (!product)
                continue;
            product->dropWrappers();
            word = product->text();
            while (arrow < 0 && !fits(words.join(QLatin1Char(' '))) && product->dropOne())
                word = product->text();
        }
        text = words.join(QLatin1Char(' '));
    } else if (auto product = ProductName::of(text)) {
        product->dropWrappers();
        text = product->text();
        while (!fits(text) && product->dropOne())
            text = product->text();
    }
    if (arrow > 0 && !fits(text) && room >= 2 * kFew * metrics.averageCharWidth())
        return elidedSides(metrics, name.left(arrow), name.mid(arrow + kArrow.size()), room);
    const bool few = room < kFew * metrics.averageCharWidth();
    // The cut may lie beside one of the name's own.
    return metrics.elidedText(text, few ? Qt::ElideRight : Qt::ElideMiddle, room)
        .replace(QString(2, kDots), kDots);
}

}  // namespace warpglass::ui
