// The style sheet of a report in HTML: the window's tokens (ui/theme/theme.cpp), for phone, desk and paper.
#pragma once

#include <string_view>

namespace warpglass {

inline constexpr std::string_view kReportStyle = R"(
:root{--page:#f4f6f8;--panel:#fff;--line:#d9dfe6;--text:#1a2028;--quiet:#5a6673;--accent:#0b6bcb;--caution:#8a5300}
@media (prefers-color-scheme:dark){:root{--page:#12161b;--panel:#181d24;--line:#2c343e;--text:#e3e8ee;--quiet:#9aa6b2;--accent:#6cb2f7;--caution:#e8b45c}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--text);font:15px/1.55 Inter,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
main{max-width:1040px;margin:0 auto;padding:32px 24px 64px}
h1{font-size:28px;line-height:1.2;margin:0 0 4px;font-weight:600;overflow-wrap:anywhere}
h2{font-size:21px;line-height:1.3;margin:48px 0 12px;padding-top:16px;border-top:1px solid var(--line);font-weight:600;overflow-wrap:anywhere}
h3{font-size:16px;margin:28px 0 8px;font-weight:600;overflow-wrap:anywhere}
p{margin:8px 0;max-width:75ch;overflow-wrap:anywhere}
.quiet,.subtitle{color:var(--quiet)}
.subtitle{margin:0 0 20px}
.caution{color:var(--text);border-left:3px solid var(--caution);padding:4px 12px;background:var(--panel)}
ul{margin:8px 0;padding-left:20px;max-width:75ch}
li{margin:6px 0;overflow-wrap:anywhere}
li p{margin:2px 0;color:var(--quiet);font-size:13.5px}
a{color:var(--accent)}
nav{background:var(--panel);border:1px solid var(--line);border-radius:6px;padding:12px 16px}
nav ul{list-style:none;margin:0;padding:0;columns:2 280px;max-width:none}
nav li{margin:2px 0;break-inside:avoid}
nav li li{margin-left:16px;font-size:13.5px}
nav ul ul{columns:1}
.scroll{overflow-x:auto;background:var(--panel);border:1px solid var(--line);border-radius:6px}
.table{margin:16px 0 24px}
table{border-collapse:collapse;font-size:13px;line-height:1.4;font-variant-numeric:tabular-nums;width:100%}
.table>p{font-weight:600;font-size:13.5px;margin:0 0 6px;max-width:none}
th,td{padding:5px 12px;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
tr:last-child>*{border-bottom:0}
thead th{color:var(--quiet);font-weight:600;font-size:12px;vertical-align:bottom}
tbody th{font-weight:400;color:var(--quiet);width:40%}
.n{text-align:right;white-space:nowrap}
td{overflow-wrap:break-word;min-width:11ch}
.n{min-width:0}
.name{overflow-wrap:anywhere;min-width:20ch}
.pair{display:inline-block;vertical-align:top;width:calc(50% - 12px);margin-right:16px}
.pair+.pair{margin-right:0}
figure{margin:20px 0 32px}
figure .scroll{background:var(--panel)}
figure svg{display:block;width:100%;height:auto;min-width:620px}
svg text{font-family:Inter,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;white-space:pre}

figcaption{margin-top:8px;font-size:13.5px;max-width:75ch}
figcaption b{font-weight:600}
figcaption .setup{display:block;color:var(--quiet);font-size:12.5px}
pre{background:var(--panel);border:1px solid var(--line);border-radius:6px;padding:12px 16px;overflow-x:auto;font:12.5px/1.6 "JetBrains Mono",ui-monospace,Menlo,Consolas,monospace;white-space:pre-wrap;overflow-wrap:anywhere}
svg.dark{display:none}
@media (prefers-color-scheme:dark){svg.light{display:none}svg.dark{display:block}}
@media (max-width:640px){.pair{display:block;width:auto;margin-right:0}main{padding:20px 14px 48px}h1{font-size:23px}h2{font-size:19px;margin-top:36px}th,td{padding:5px 8px}tbody th{width:auto}}
@page{margin:16mm 14mm}
@media print{
:root{--page:#fff;--panel:#fff;--line:#d9dfe6;--text:#1a2028;--quiet:#5a6673;--accent:#1a2028;--caution:#8a5300}
body{font-size:9.5pt;line-height:1.4}
main{max-width:none;padding:0}
nav{display:none}
h1{font-size:18pt}h2{font-size:13pt;margin-top:20pt}h3{font-size:10.5pt}
h2,h3,.table>p{break-after:avoid}
figure,tr,pre,li{break-inside:avoid}
thead{display:table-header-group}
.scroll{overflow:visible;border:0;border-radius:0}
figure .scroll{border:1px solid var(--line)}
figure svg{min-width:0;max-height:220mm}
table{font-size:7.5pt}
th,td{padding:2.5pt 5pt}
td,.name{min-width:0}
.pair{display:block;width:auto;margin-right:0}
svg.light{display:block}svg.dark{display:none}
}
)";

}  // namespace warpglass
