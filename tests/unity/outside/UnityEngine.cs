// Stand-ins for the few classes of UnityEngine that the sample uses, so that it compiles and runs without an editor.
// They are no part of the package and imitate no more than a test sets: a clock, a log, a text.

using System;
using System.Collections.Generic;

namespace UnityEngine
{
    public class Object
    {
    }

    public class MonoBehaviour : Object
    {
        public bool enabled = true;
    }

    public class TextAsset : Object
    {
        public string text;
    }

    [AttributeUsage(AttributeTargets.Field)]
    public sealed class SerializeField : Attribute
    {
    }

    [AttributeUsage(AttributeTargets.Field)]
    public sealed class TooltipAttribute : Attribute
    {
        public TooltipAttribute(string tooltip)
        {
        }
    }

    public static class Time
    {
        public static double realtimeSinceStartupAsDouble;
    }

    public static class Debug
    {
        public static readonly List<string> Lines = new List<string>();

        public static void Log(object message)
        {
            Lines.Add(message.ToString());
        }

        public static void LogError(object message, Object context)
        {
            Lines.Add(message.ToString());
        }

        public static void LogException(Exception exception, Object context)
        {
            Lines.Add(exception.Message);
        }
    }
}
