// Chooses where two runs are aligned: a button that shows it, and a list below it that is searched by typing:
// the step's start, and the phases and modules that both runs have.
#pragma once

#include <QPushButton>
#include <vector>

#include "engine/query/compare/landmark.h"
#include "ui/theme/qt_fwd.h"

namespace warpglass::ui {

class LandmarkChooser : public QPushButton {
    Q_OBJECT
public:
    explicit LandmarkChooser(QWidget* parent = nullptr);

    /// Sets the button's text, which need not be in the list.
    void setChosen(const QString& text);
    /// What an asked-for list is; it says that it is looked for until then.
    void setLandmarks(std::vector<warpglass::Landmark> landmarks);

    QSize sizeHint() const override;

public slots:
    void openList();

signals:
    /// Emitted each time it opens; setLandmarks() must follow, at once or later.
    void listRequested();
    void landmarkChosen(const warpglass::Landmark& landmark);

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fill(const QString& query);
    void choose();

    std::vector<warpglass::Landmark> m_landmarks;
    bool m_waiting = false;
    QString m_chosen;
    QFrame* m_popup;
    QLineEdit* m_query;
    QListWidget* m_list;
};

}  // namespace warpglass::ui
