// A sentence over the lower edge of a view: why it does not show what was requested.
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

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void place();
};

/// Whatever `query`, a DeferredQuery, fails with is written in the view until it succeeds again.
template <class Query>
void showFailures(QWidget* view, const Query& query) {
    QObject::connect(&query, &Query::failureChanged, new FailureNote(view), &FailureNote::setSentence);
}

}  // namespace warpglass::ui
