#include "ui/compare/landmark_chooser.h"

#include <QFrame>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QScreen>
#include <QStyleOptionButton>
#include <QStylePainter>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/controls/combo_box.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// "blocks.11.attn, backward on the GPU" in the text font.
constexpr int kButtonWidth = 216;
constexpr QSize kListSize{320, 320};
constexpr int kBesideButton = 2;

/// Under the button, over it where the screen ends before; within the window and the screen across.
QPoint listPlace(const QWidget& button, QSize list) {
    const QRect screen = button.screen()->availableGeometry();
    const QWidget& window = *button.window();
    const int windowEnd = window.mapToGlobal(QPoint(window.width(), 0)).x();
    const QPoint under = button.mapToGlobal(QPoint(0, button.height() + kBesideButton));
    const int left = std::min(under.x(), std::min(windowEnd, screen.right() + 1) - list.width());
    const int over = button.mapToGlobal(QPoint(0, -kBesideButton)).y() - list.height();
    const bool fits = under.y() + list.height() <= screen.bottom() + 1 || over < screen.top();
    return {std::max(left, screen.left()), fits ? under.y() : over};
}

}  // namespace

LandmarkChooser::LandmarkChooser(QWidget* parent) : QPushButton(parent) {
    setFont(Theme::textFont());
    m_popup = named(new QFrame(this, Qt::Popup), "landmarkPopup");
    m_popup->setFrameShape(QFrame::StyledPanel);
    m_query = named(new QLineEdit(m_popup), "landmarkQuery");
    m_query->setPlaceholderText(tr("Search phases and modules"));
    m_query->setAccessibleName(m_query->placeholderText());
    m_query->installEventFilter(this);
    m_list = new QListWidget(m_popup);
    setNames(m_list, "landmarkList", tr("What the runs can be aligned at"));
    m_list->setFont(Theme::textFont());
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setUniformItemSizes(true);
    m_list->setSpacing(1);
    auto* column = new QVBoxLayout(m_popup);
    column->setContentsMargins(Metrics::kSpace2, Metrics::kSpace2, Metrics::kSpace2, Metrics::kSpace2);
    column->addWidget(m_query);
    column->addWidget(m_list, 1);
    connect(this, &QPushButton::clicked, this, &LandmarkChooser::openList);
    connect(m_query, &QLineEdit::textChanged, this, &LandmarkChooser::fill);
    connect(m_list, &QListWidget::itemClicked, this, &LandmarkChooser::choose);
    setChosen(toQString(Landmark().text()));
}

QSize LandmarkChooser::sizeHint() const {
    return {kButtonWidth, Metrics::kControlHeight};
}

void LandmarkChooser::setChosen(const QString& text) {
    m_chosen = text;
    setAccessibleName(tr("Aligned at %1").arg(m_chosen));
    setToolTip(tr("Both runs have %1 at the same place. Choose another step's part, phase or module; L takes "
                  "the selected span.")
                   .arg(m_chosen));
    update();
}

void LandmarkChooser::openList() {
    m_landmarks.clear();
    m_waiting = true;
    m_query->clear();
    emit listRequested();
    if (m_waiting)
        fill({});
    m_popup->resize(kListSize.expandedTo({width(), 0}));
    m_popup->move(listPlace(*this, m_popup->size()));
    m_popup->show();
    m_query->setFocus(Qt::PopupFocusReason);
}

void LandmarkChooser::setLandmarks(std::vector<Landmark> landmarks) {
    m_landmarks = std::move(landmarks);
    m_waiting = false;
    fill(m_query->text());
}

void LandmarkChooser::fill(const QString& query) {
    m_list->clear();
    const QStringList words = query.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (std::size_t i = 0; i < m_landmarks.size(); ++i) {
        const QString text = toQString(m_landmarks[i].text());
        const bool all = std::ranges::all_of(
            words, [&text](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
        if (!all)
            continue;
        auto* item = new QListWidgetItem(text, m_list);
        item->setData(Qt::UserRole, static_cast<int>(i));
        if (text == m_chosen)
            m_list->setCurrentItem(item);
    }
    if (m_list->count() == 0) {
        auto* none = new QListWidgetItem(
            m_waiting ? tr("Looking through both steps…") : tr("No such name in both runs"), m_list);
        none->setFlags(Qt::NoItemFlags);
    } else if (m_list->currentRow() < 0) {
        m_list->setCurrentRow(0);
    }
}

void LandmarkChooser::choose() {
    const QListWidgetItem* item = m_list->currentItem();
    const QVariant index = item ? item->data(Qt::UserRole) : QVariant();
    if (!index.isValid())
        return;
    const Landmark landmark = m_landmarks[static_cast<std::size_t>(index.toInt())];
    m_popup->hide();
    emit landmarkChosen(landmark);
}

bool LandmarkChooser::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_query || event->type() != QEvent::KeyPress)
        return QPushButton::eventFilter(watched, event);
    const auto& key = static_cast<const QKeyEvent&>(*event);
    const int page = qMax(1, m_list->height() / qMax(1, m_list->sizeHintForRow(0)) - 1);
    const auto go = [this](int by) {
        m_list->setCurrentRow(std::clamp(m_list->currentRow() + by, 0, m_list->count() - 1));
    };
    switch (key.key()) {
        case Qt::Key_Up:
            go(-1);
            return true;
        case Qt::Key_Down:
            go(1);
            return true;
        case Qt::Key_PageUp:
            go(-page);
            return true;
        case Qt::Key_PageDown:
            go(page);
            return true;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            choose();
            return true;
        default:
            return false;
    }
}

void LandmarkChooser::paintEvent(QPaintEvent*) {
    QStylePainter painter(this);
    QStyleOptionButton option;
    initStyleOption(&option);
    option.text.clear();
    painter.drawControl(QStyle::CE_PushButton, option);
    paintChoice(painter, *this, m_chosen, Qt::ElideMiddle);
}

}  // namespace warpglass::ui
