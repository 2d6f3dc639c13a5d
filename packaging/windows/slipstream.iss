; Inno Setup 6. Compiled by `python packaging/build.py windows`, which defines Version, FileVersion, Bundle,
; Prepared, Out and OutName. Installs for one user without administrator rights, or for all on request.

#ifndef Version
  #error "Run this with: python packaging/build.py windows"
#endif

[Setup]
AppId={{6E0C0B5E-5B7C-4E0E-9C57-9C5C1B3D6A21}
AppName=Slipstream
AppVersion={#Version}
AppVerName=Slipstream {#Version}
AppPublisher=The Slipstream authors
VersionInfoVersion={#FileVersion}
DefaultDirName={autopf}\Slipstream
DefaultGroupName=Slipstream
DisableProgramGroupPage=yes
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=dialog
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
MinVersion=10.0.17763
OutputDir={#Out}
OutputBaseFilename={#OutName}
SetupIconFile={#Prepared}\slipstream.ico
UninstallDisplayIcon={app}\Slipstream.exe
UninstallDisplayName=Slipstream
Compression=lzma2/max
SolidCompression=yes
WizardStyle=modern
ChangesAssociations=yes
CloseApplications=yes

[Languages]
Name: "en"; MessagesFile: "compiler:Default.isl"
Name: "de"; MessagesFile: "compiler:Languages\German.isl"

[CustomMessages]
en.OpenGguf=Open .gguf files with Slipstream
de.OpenGguf=.gguf-Dateien mit Slipstream öffnen
en.DesktopIcon=Create a desktop icon
de.DesktopIcon=Symbol auf dem Desktop anlegen
en.KeptData=Slipstream is removed. Your conversations, settings and models are still in%n%1
de.KeptData=Slipstream ist entfernt. Ihre Gespräche, Einstellungen und Modelle liegen weiter in%n%1

[Tasks]
Name: "gguf"; Description: "{cm:OpenGguf}"
Name: "desktop"; Description: "{cm:DesktopIcon}"; Flags: unchecked

[InstallDelete]
; Files of an older version must not stay beside those of the new one. User data are elsewhere.
Type: filesandordirs; Name: "{app}\_internal"

[Files]
Source: "{#Bundle}\*"; DestDir: "{app}"; Flags: ignoreversion recursesubdirs createallsubdirs

[Icons]
Name: "{group}\Slipstream"; Filename: "{app}\Slipstream.exe"; AppUserModelID: "Slipstream"
Name: "{autodesktop}\Slipstream"; Filename: "{app}\Slipstream.exe"; Tasks: desktop; AppUserModelID: "Slipstream"

[Registry]
Root: HKA; Subkey: "Software\Classes\Slipstream.gguf"; ValueType: string; ValueData: "GGUF model"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\Slipstream.gguf\DefaultIcon"; ValueType: string; ValueData: "{app}\Slipstream.exe,0"
Root: HKA; Subkey: "Software\Classes\Slipstream.gguf\shell\open\command"; ValueType: string; ValueData: """{app}\Slipstream.exe"" window ""%1"""
Root: HKA; Subkey: "Software\Classes\.gguf\OpenWithProgids"; ValueType: string; ValueName: "Slipstream.gguf"; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\.gguf"; ValueType: string; ValueData: "Slipstream.gguf"; Flags: uninsdeletevalue; Tasks: gguf

[Run]
Filename: "{app}\Slipstream.exe"; Description: "{cm:LaunchProgram,Slipstream}"; Flags: nowait postinstall skipifsilent

[Code]
procedure CurUninstallStepChanged(CurUninstallStep: TUninstallStep);
begin
  if (CurUninstallStep = usPostUninstall) and not UninstallSilent then
    MsgBox(FmtMessage(CustomMessage('KeptData'), [ExpandConstant('{localappdata}\Slipstream')]), mbInformation, MB_OK);
end;
