// The classes of the window, and those of the views and the engine, for headers that only pass them on.
#pragma once

#include "ui/theme/qt_fwd.h"

namespace warpglass {
struct ExperimentResult;
struct Finding;
struct ReportDocument;
struct ReportOptions;
class Snapshot;
struct Sweep;
}  // namespace warpglass

namespace warpglass::app {
class AppearanceMenu;
class Banner;
class CalmStrip;
class CompareWith;
class EvidenceBar;
struct FigureChoice;
class FigureCommands;
class FittedPanes;
class FocusCorner;
class FocusMode;
class InspectorDrawer;
class LessonPanel;
class LessonParts;
class LessonStage;
class Lessons;
class MainMenus;
class MarkNotice;
class MenuConditions;
class OpenExperiments;
class OpenRuns;
class OpenSweeps;
struct OpenedRunEntry;
class PresentationMode;
class RecentRuns;
class ReportCommands;
class ReportJob;
class RunActions;
class RunClosing;
class RunPanelPlace;
class RunRecording;
class RunRow;
class RunTabs;
class RunViews;
struct RunningWork;
class SessionController;
class ShownFinding;
class StartPage;
class StatusPlace;
class TableTabs;
class TrialRuns;
class TwoLines;
class WindowClosing;
class WindowFiles;
class WindowLayout;
class WindowMessages;
class WindowPages;
class WorkBar;
class Workspace;
}  // namespace warpglass::app

namespace warpglass::ui {
class AllocationsTable;
class ChartsPage;
class ComboBox;
class ComparisonView;
class DataTable;
class ExperimentPage;
struct FigureSize;
struct FigureSource;
class FindPanel;
class MarkList;
class MarkSteps;
class MemoryChart;
class MemoryPage;
class NumberField;
class OpTable;
class OverviewStrip;
class RunDocument;
class RunFilter;
class RunPanel;
class SegmentedControl;
class SummaryPage;
class SweepPage;
class SystemTheme;
class TimeAxis;
class TimeRulerBar;
class TimelineLabels;
class TimelineView;
class TimelineViewport;
}  // namespace warpglass::ui
