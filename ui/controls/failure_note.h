// A sentence over the lower edge of a view: why it does not show what was requested. It also
// tells when the view is seen, since what is not seen asks for nothing (askWhileSeen).
#pragma once

#include <QLabel>

namespace warpglass::ui {

class FailureNote : public QLabel {
    Q_OBJECT
public:
    /// A note on the view, which owns it; hidden until there is a sentence.
    explicit FailureNote(QWidget* view);

    /// Empty: there is nothing to say any more.
    void setSentence(const QString& sentence);

signals:
    /// The view is shown or hidden.
    void seen(bool visible);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void place();
};

/// Whatever `query`, a DeferredQuery, fails with is written in the view until it succeeds again.
template <class Query>
FailureNote* showFailures(QWidget* view, const Query& query) {
    auto* note = new FailureNote(view);
    QObject::connect(&query, &Query::failureChanged, note, &FailureNote::setSentence);
    return note;
}
/// It is also asked only while the view is seen.
template <class Query>
void askWhileSeen(QWidget* view, Query& query) {
    QObject::connect(showFailures(view, query), &FailureNote::seen, &query, &Query::setActive);
}

}  // namespace warpglass::ui
